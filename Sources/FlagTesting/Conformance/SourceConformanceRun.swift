#if Network
import FlagModel
import FlagRemote
import Flags

/// Runs one check on a source, and collects findings.
struct SourceConformanceRun {
    let suite: SourceConformanceSuite
    let server: LoopbackServer
    let clock = ManualClock()
    private(set) var findings: [String] = []

    /// A new source of the suite, whose retries take no time.
    func source(_ limits: SourceLimits = SourceFault.generous) throws -> any RemoteSource {
        try suite.source(
            server.url, SourceClient(transport: suite.transport, limits: limits, clock: clock.sourceClock))
    }

    mutating func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { findings.append(sentence()) }
    }

    mutating func requireNoSecret(in text: String, _ place: @autoclosure () -> String) {
        for secret in suite.secrets where text.contains(secret) {
            findings.append("A secret shows in \(place()): \(text.replacing(secret, with: "<SECRET>"))")
        }
    }

    /// The current values of a source, and their version.
    func document(of source: any RemoteSource) async throws -> (RemoteDocument, String?) {
        guard case .values(let bytes, let version) = try await source.fetch(since: nil) else {
            throw ConformanceError(findings: ["The first fetch, without a version, responds 'unchanged'."])
        }
        return (try source.decode(bytes), version)
    }

    mutating func identity() async throws {
        let (first, second) = (try source(), try source())
        require(
            first.identity == second.identity, "One source has two identities: \(first.identity), \(second.identity)")
        require(!first.identity.text.isEmpty && !first.name.isEmpty, "The source has no identity or no name.")
        var dumped = ""
        dump(first, to: &dumped)
        for text in [first.identity.text, first.name, "\(first)", String(reflecting: first), dumped] {
            requireNoSecret(in: text, "what the source shows of itself")
        }
        if case .values(let bytes, let version) = try await first.fetch(since: nil) {
            requireNoSecret(in: String(decoding: bytes, as: UTF8.self) + (version ?? ""), "what is cached")
        }
        require(try source().identity == second.identity, "The identity changes with a fetch.")
        require(try first.readSynchronously() == nil, "A source of a network reads values synchronously.")
        if suite.hasBaseURL { requireBaseURL() }
        for end in suite.urlEnds {
            let identities = try ["", end].map { end in
                try suite.source("\(server.url)/demo\(end)", SourceClient(transport: suite.transport)).identity
            }
            require(identities[0] == identities[1], "\(end) at the end of a base URL is not left out: \(identities[1])")
        }
    }

    /// Requires that the error for an invalid base URL says what is right, and shows no credential.
    private mutating func requireBaseURL() {
        let remedies = [
            "service.example.com": "example:", "https://u:hush-url@x": "must not contain credentials",
            "https://x?key=hush-url": "must not contain credentials",
        ]
        for (url, remedy) in remedies {
            do {
                _ = try suite.source(url, SourceClient(transport: suite.transport))
                require(false, "The base URL \(url) is accepted.")
            } catch {
                let text = "\(error)"
                require(text.contains(remedy), "The error for the base URL \(url) does not say \"\(remedy)\": \(text)")
                require(!text.contains("hush-url"), "The error for the base URL \(url) shows a credential: \(text)")
            }
        }
    }

    mutating func values() async throws {
        let (document, _) = try await document(of: try source())
        for (key, value) in suite.values.sortedByKey {
            let text = document.values[key]?.string
            require(text == value, "\(key) is \(text ?? "not there") instead of \(value).")
        }
        let (expected, requests, count) = (suite.requestsPerFetch, server.requests.count, suite.values.count)
        require(
            document.values.count == count, "There are \(document.values.count) values instead of \(count).")
        require(requests == expected, "A fetch takes \(requests) requests instead of \(expected).")
    }

    mutating func versions() async throws {
        let source = try source()
        let (_, version) = try await document(of: source)
        guard suite.hasVersions else {
            return require(
                version == nil, "The source names a version \(version ?? ""), although its service has none.")
        }
        require(version != nil, "The source names no version of its values.")
        let secondFetch = try await source.fetch(since: version)
        require(secondFetch == .unchanged, "The same values are sent again.")
        let fetchAfterRestart = try await self.source().fetch(since: version)
        require(fetchAfterRestart == .unchanged, "After a restart the same values are sent again.")
        let fetchWithUnknownVersion = try await source.fetch(since: "\"of-another-time\"")
        require(
            fetchWithUnknownVersion != .unchanged, "A version that the service does not know passes for the newest.")
    }

    mutating func cancellation() async throws {
        server.inject(.hang, times: .max)
        let source = try source()
        let task = Task { await Self.failure(of: source) }
        try await server.waitForRequests(where: suite.isFaultTarget)
        let start = ContinuousClock.now
        task.cancel()
        let error = await task.value
        require(error?.code == .cancelled, "A cancelled fetch ends with \(error.map { "\($0)" } ?? "values").")
        let time = ContinuousClock.now - start
        // A generous limit, as a busy machine may wake the task late.
        require(time < .seconds(30), "A cancelled fetch goes on for \(time).")
        require(targetedRequests == 1, "A cancelled fetch makes more requests.")
    }

    /// The number of received requests for which a fault could be injected.
    var targetedRequests: Int { server.requests.count(where: suite.isFaultTarget) }

    /// Why a source cannot be read; `nil` if it can be.
    static func failure(of source: any RemoteSource) async -> SourceError? {
        do throws(SourceError) {
            guard case .values(let bytes, _) = try await source.fetch(since: nil) else { return nil }
            do throws(DocumentError) {
                _ = try source.decode(bytes)
                return nil
            } catch {
                return SourceError(code: .malformed, path: source.name, sentence: "\(error)")
            }
        } catch {
            return error
        }
    }
}
#endif
