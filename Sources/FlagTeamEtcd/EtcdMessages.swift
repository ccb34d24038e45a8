import FlagModel
import FlagRemote

/// Reads the messages of a watch: one JSON object per line. The first one confirms the watch and has no changes.
struct EtcdMessages {
    private let connection: EtcdConnection
    private var chunks: ByteChunks.AsyncIterator
    private var pending: [UInt8] = []
    private var lines: ArraySlice<[UInt8]> = []

    /// The messages of an open response.
    init(_ stream: SourceStream, _ connection: EtcdConnection) {
        self.connection = connection
        chunks = stream.chunks.makeAsyncIterator()
    }

    /// The error that the member closed the stream.
    var closed: SourceError {
        SourceError(
            code: .unreachable, path: connection.name, sentence: "the member closed the stream of changes; reconnecting"
        )
    }

    /// Whether the next message has changes; `nil` if the member has closed the stream.
    ///
    /// - Throws: the error that the member reports, also if it has ended the watch.
    mutating func next() async throws(EtcdError) -> Bool? {
        guard let line = try await nextLine() else { return nil }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: line).root
        } catch {
            throw self.error(.malformed, "a message of the stream of changes is not JSON (\(error)); reconnecting")
        }
        if let failure = EtcdFailure(root) { throw EtcdError(failure, of: connection.name) }
        let result = root["result"]
        if result?["canceled"]?.bool == true {
            let failure = EtcdFailure(message: result?["cancel_reason"]?.text?.string ?? "")
            throw failure.map { EtcdError($0, of: connection.name) }
                ?? error(.unreachable, "the member ended the watch; reconnecting")
        }
        return (result?["events"]?.count ?? 0) > 0
    }

    private func error(_ code: SourceError.Code, _ sentence: String) -> EtcdError {
        EtcdError(SourceError(code: code, path: connection.name, sentence: sentence))
    }

    /// The next line without its line feed, also the last one without a line feed.
    private mutating func nextLine() async throws(EtcdError) -> [UInt8]? {
        while lines.isEmpty {
            let chunk: [UInt8]?
            do throws(SourceError) {
                chunk = try await chunks.next()
            } catch {
                throw EtcdError(error)
            }
            guard let chunk else {
                defer { pending = [] }
                return pending.isEmpty ? nil : pending
            }
            pending += chunk
            guard pending.count <= connection.client.streamLimits.bodySize else {
                throw error(.tooLarge, "a message of the stream of changes has more bytes than the limit")
            }
            guard let end = pending.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            lines = pending[..<end].split(separator: UInt8(ascii: "\n")).map(Array.init)[...]
            pending.removeSubrange(...end)
        }
        return lines.removeFirst()
    }
}
