import FlagModel
import FlagRemote
import Flags

/// Looks at one source in one way and notes what is wrong.
struct SourceExamination {
    let subject: SourceSubject
    let server: LoopbackServer
    let clock = ManualClock()
    private(set) var findings: [String] = []

    init(_ subject: SourceSubject, _ server: LoopbackServer) {
        self.subject = subject
        self.server = server
    }

    /// The source, with retries that take no time.
    func source(_ limits: SourceLimits = SourceFault.patient) throws -> any RemoteSource {
        try subject.source(
            server.url, SourceClient(transport: subject.transport, limits: limits, clock: clock.sourceClock))
    }

    mutating func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { findings.append(sentence()) }
    }

    mutating func requireNoSecret(in text: String, _ place: @autoclosure () -> String) {
        for secret in subject.secrets where text.contains(secret) {
            findings.append("A secret shows in \(place()): \(text.replacing(secret, with: "<SECRET>"))")
        }
    }

    /// What a source says of the values of now.
    func document(of source: any RemoteSource, since version: String? = nil) async throws -> (RemoteDocument, String?) {
        guard case .values(let bytes, let version) = try await source.fetch(since: version) else {
            throw IncompatibleSource(findings: ["The source answers 'unchanged' to who has nothing yet."])
        }
        return (try source.decode(bytes), version)
    }

    mutating func identity() async throws {
        let (first, second) = (try source(), try source())
        require(
            first.identity == second.identity, "One source has two identities: \(first.identity), \(second.identity)")
        require(!first.identity.isEmpty && !first.name.isEmpty, "The source has no identity or no name.")
        var dumped = ""
        dump(first, to: &dumped)
        for text in [first.identity, first.name, "\(first)", String(reflecting: first), dumped] {
            requireNoSecret(in: text, "what the source shows of itself")
        }
        if case .values(let bytes, let version) = try await first.fetch(since: nil) {
            requireNoSecret(in: String(decoding: bytes, as: UTF8.self) + (version ?? ""), "what is kept on disk")
        }
        require(try source().identity == second.identity, "The identity changes with a fetch.")
        require(try first.readAtOnce() == nil, "The source has values at once, although they lie behind a network.")
    }

    mutating func values() async throws {
        let (document, _) = try await document(of: try source())
        for (key, value) in subject.values.sorted(by: { $0.key < $1.key }) {
            let found = document.values[key]?.string
            require(found == value, "\(key) is \(found ?? "not there") instead of \(value).")
        }
        let (expected, requests, count) = (subject.requestsPerFetch, server.requests.count, subject.values.count)
        require(
            document.values.count == count, "There are \(document.values.count) values instead of \(count).")
        require(requests == expected, "A fetch takes \(requests) requests instead of \(expected).")
    }

    mutating func versions() async throws {
        let source = try source()
        let (_, version) = try await document(of: source)
        guard subject.hasVersions else {
            return require(
                version == nil, "The source names a version \(version ?? ""), although its service has none.")
        }
        require(version != nil, "The source names no version of its values.")
        let again = try await source.fetch(since: version)
        require(again == .unchanged, "The same values are sent again to who has their version.")
        let restarted = try await self.source().fetch(since: version)
        require(restarted == .unchanged, "After a restart the same values are sent again to who has their version.")
        let other = try await source.fetch(since: "\"of-another-time\"")
        require(other != .unchanged, "A version that the service does not know counts as the newest.")
    }

    mutating func cancellation() async throws {
        server.inject(.hang, times: .max)
        let source = try source()
        let task = Task { await Self.failure(of: source) }
        try await server.waitForRequests(where: subject.isStruck)
        let start = ContinuousClock.now
        task.cancel()
        let error = await task.value
        require(error?.code == .cancelled, "A cancelled fetch ends with \(error.map { "\($0)" } ?? "an answer").")
        let time = ContinuousClock.now - start
        // That it says so proves it; how late a busy machine wakes a task is another matter.
        require(time < .seconds(30), "A cancelled fetch goes on for \(time).")
        require(struckRequests == 1, "A cancelled fetch goes on asking.")
    }

    /// How many requests came that a fault could strike.
    var struckRequests: Int { server.requests.count(where: subject.isStruck) }

    static func failure(of source: any RemoteSource, since version: String? = nil) async -> SourceError? {
        do throws(SourceError) {
            _ = try await source.fetch(since: version)
            return nil
        } catch {
            return error
        }
    }
}
