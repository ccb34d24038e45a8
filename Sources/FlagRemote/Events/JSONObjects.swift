package import FlagModel

/// The JSON objects of a stream, which arrives in pieces of any size. Everything between objects is skipped, such as
/// the commas of an endless array, or line feeds.
package struct JSONObjects {
    private var chunks: ByteChunks.AsyncIterator
    private let source: String
    private let sizeLimit: Int

    private var unread: ArraySlice<UInt8> = []
    private var pending: [UInt8] = []
    private var depth = 0
    private var isInText = false
    private var isEscaped = false

    /// - Parameters:
    ///   - chunks: the bytes of the stream.
    ///   - source: the source's name in errors.
    ///   - sizeLimit: the maximum size of an object, in bytes.
    package init(_ chunks: ByteChunks, of source: String, sizeLimit: Int) {
        self.chunks = chunks.makeAsyncIterator()
        (self.source, self.sizeLimit) = (source, sizeLimit)
    }

    /// The next object; `nil` if the service has closed the stream.
    package mutating func next() async throws(SourceError) -> JSONValue? {
        while true {
            while let byte = unread.popFirst() {
                guard append(byte) else { continue }
                defer { pending = [] }
                guard let object = try? JSONDocument(parsing: pending).root else {
                    throw SourceError(.malformed, of: source, "the service sent an update that is not JSON")
                }
                return object
            }
            guard pending.count <= sizeLimit else {
                throw SourceError(
                    .tooLarge, of: source, "the service sent an update that is larger than \(sizeLimit) bytes")
            }
            guard let chunk = try await chunks.next() else { return nil }
            unread = chunk[...]
        }
    }

    /// Appends a byte of an object; returns whether it ends the object.
    private mutating func append(_ byte: UInt8) -> Bool {
        guard depth > 0 || byte == UInt8(ascii: "{") else { return false }
        pending.append(byte)
        guard !isInText else {
            isInText = isEscaped || byte != UInt8(ascii: "\"")
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            return false
        }
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "}"): depth -= 1
        default: break
        }
        return depth == 0
    }
}
