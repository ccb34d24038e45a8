#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceUnleash
import FlagTesting
import Synchronization
import TestSupport
import Testing
import VendorServers

@Suite("Unleash: with a loopback server", .limitedParallelism)
struct UnleashServerTests {
    private func source(_ url: String, token: String = "*:development.frontend") throws -> UnleashSource {
        UnleashSource(
            try UnleashSettings(baseURL: url, token: Secret(token)),
            client: SourceClient(transport: HTTPTransport(), retry: .none))
    }

    private func values(_ source: UnleashSource) async throws -> [String: String] {
        guard case .values(let bytes, _) = try await source.fetch(since: nil) else { return [:] }
        let document = try source.decode(bytes)
        return Dictionary(
            uniqueKeysWithValues: document.values.keys.map { ($0.string, document.values[$0]?.string ?? "") })
    }

    @Test func `a toggle that was on and is missing now is off; one that was never on is unknown`() async throws {
        let server = try await LoopbackUnleash([.init("a"), .init("b", variant: "v"), .init("c", false)])
        let source = try source(server.url)
        #expect(try await values(source) == ["a": "true", "b": "true", "b.variant": "v"])
        server.set([.init("a", false), .init("b", false), .init("c", false)])
        #expect(try await values(source) == ["a": "false", "b": "false"])
        server.set([.init("a"), .init("b", false)])
        #expect(try await values(source) == ["a": "true", "b": "false"])
        #expect(try await values(self.source(server.url)) == ["a": "true"])
    }

    @Test func `with a backend token every toggle is listed; a deleted one is forgotten`() async throws {
        let server = try await LoopbackUnleash([.init("a"), .init("b", false), .init("c", false)])
        var settings = try UnleashSettings(baseURL: server.url, token: Secret("*:development.frontend"))
        settings.backendToken = Secret("*:development.client")
        let source = UnleashSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
        #expect(try await values(source) == ["a": "true", "b": "false", "c": "false"])
        guard case .values(let bytes, nil) = try await source.fetch(since: nil) else {
            Issue.record("a response to two requests has no version")
            return
        }
        #expect(try await source.fetch(since: nil) == .values(bytes, version: nil), "the response is stable")
        server.set([.init("a", false), .init("d", false)])
        #expect(try await values(source) == ["a": "false", "d": "false"])
        settings.backendToken = Secret("hush")
        server.set([.init("a"), .init("b", false)])
        let refused = UnleashSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
        guard case .values(let toggles, nil) = try await refused.fetch(since: nil) else {
            Issue.record("the toggles that are on are still read")
            return
        }
        let document = try refused.decode(toggles)
        #expect(document.values.keys.map(\.string) == ["a"])
        let warning = document.issues.first?.sentence
        #expect(warning?.contains("not read with the backend token") == true && warning?.contains("hush") == false)
    }

    @Test(
        arguments: [RequestMethod.get, .post])
    func `a cached toggle that is missing now is off, also after an unchanged response`(requestMethod: RequestMethod)
        async throws
    {
        let server = try await LoopbackUnleash([.init("a"), .init("b", variant: "v"), .init("c", false)])
        func source() throws -> UnleashSource {
            var settings = try UnleashSettings(baseURL: server.url, token: Secret("*:development.frontend"))
            settings.requestMethod = requestMethod
            return UnleashSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
        }
        guard case .values(let cached, let version) = try await source().fetch(since: nil) else {
            Issue.record("the first response has no values")
            return
        }
        let later = try source()
        _ = try later.decode(cached)
        if requestMethod == .get { #expect(try await later.fetch(since: version) == .unchanged) }
        server.set([.init("a"), .init("b", false)])
        #expect(try await values(later) == ["a": "true", "b": "false"])
        // The missing toggle is cached as off, so the next run knows it.
        guard case .values(let cachedLater, _) = try await later.fetch(since: version) else {
            Issue.record("the change is not reported")
            return
        }
        let last = try source()
        _ = try last.decode(cachedLater)
        #expect(try await values(last) == ["a": "true", "b": "false"])
    }

    @Test func `a toggle that is missing for more than 30 days is forgotten, even if cached as off meanwhile`()
        async throws
    {
        let server = try await LoopbackUnleash([.init("a"), .init("b")])
        let time = Mutex(FlagTimestamp(seconds: 1_000_000))
        let clock = SourceClock(now: { time.withLock { $0 } }, sleep: { _ in }, random: { 0.5 })
        func source() throws -> UnleashSource {
            UnleashSource(
                try UnleashSettings(baseURL: server.url, token: Secret("*:development.frontend")),
                client: SourceClient(transport: HTTPTransport(), retry: .none, clock: clock))
        }
        var cached: [[UInt8]] = []
        /// The values that a new run fetches `days` after the previous one.
        func fetched(after days: Int64) async throws -> [String] {
            time.withLock { $0.seconds += days * 86_400 }
            let source = try source()
            for bytes in cached.suffix(2) { _ = try source.decode(bytes) }
            guard case .values(let bytes, _) = try await source.fetch(since: nil) else {
                Issue.record("there are no toggles")
                return []
            }
            cached.append(bytes)
            let values = try source.decode(bytes).values
            return values.keys.sorted().map { "\($0.string) \(values[$0]?.string ?? "")" }
        }
        #expect(try await fetched(after: 0) == ["a true", "b true"])
        server.set([.init("a")])
        #expect(try await fetched(after: 1) == ["a true", "b false"])
        let bytes = cached.last
        #expect(
            try await fetched(after: 15) == ["a true", "b false"] && cached.last == bytes,
            "an unchanged response is cached as the same bytes")
        #expect(try await fetched(after: 15) == ["a true", "b false"])
        #expect(try await fetched(after: 1) == ["a true"])
        server.set([.init("a"), .init("b")])
        #expect(try await fetched(after: 40) == ["a true", "b true"])
        server.set([.init("a")])
        #expect(
            try await fetched(after: 1) == ["a true", "b false"],
            "the 30 days start again when the toggle disappears again")
    }

    @Test func `all requests have the same session id, so that a gradual rollout is stable`() async throws {
        let server = try await LoopbackUnleash([.init("share", audience: LoopbackAudience("sessionId", "flagmenu"))])
        for _ in 1...2 { #expect(try await values(source(server.url)) == ["share": "true"]) }
    }

    @Test(
        arguments: [
            ("*:development.client", SourceError.Code.refused, "expected a different token type", "403"),
            ("*:development.unknown", .refused, "requires an API token", "401"),
            ("", .refused, "requires an API token", "401"),
        ])
    func `an error contains the service's message`(token: String, code: SourceError.Code, words: String, status: String)
        async throws
    {
        let server = try await LoopbackUnleash([.init("a")])
        let error = await #expect(throws: SourceError.self) {
            try await source(server.url, token: token).fetch(since: nil)
        }
        #expect(error?.code == code, "\(String(describing: error))")
        #expect(error?.sentence.contains(words) == true && error?.sentence.contains(status) == true)
        #expect(error?.sentence.contains("development") == false)
    }

    @Test func `a disabled frontend API fails with missing`() async throws {
        let server = try await LoopbackServer { _ in .status(404) }
        let error = await #expect(throws: SourceError.self) { try await source(server.url).fetch(since: nil) }
        #expect(error?.code == .missing)
    }

    @Test func `the connection id is the same within a run and differs between runs`() async throws {
        let server = try await LoopbackUnleash([.init("a")])
        let source = try source(server.url)
        _ = try await source.fetch(since: nil)
        _ = try await source.fetch(since: nil)
        _ = try await self.source(server.url).fetch(since: nil)
        let ids = server.server.requests.compactMap { $0.headers["unleash-connection-id"] }
        #expect(ids.count == 3 && ids[0] == ids[1] && ids[1] != ids[2])
        let groups = ids[0].split(separator: "-").map(\.count)
        #expect(groups == [8, 4, 4, 4, 12] && ids[0].split(separator: "-")[2].hasPrefix("4"))
    }

    @Test func `the loopback server also implements the endpoints that the source does not use`() async throws {
        let server = try await LoopbackUnleash([.init("a", variant: "v", payload: ("string", "x")), .init("b", false)])
        func status(_ method: SourceRequest.Method, _ path: String, _ token: String = "*:development.client")
            async throws -> Int
        {
            let url = try #require(SourceURL(server.url + path))
            let headers = SourceHeaders([("Authorization", token)])
            let request = SourceRequest(source: "t", method: method, url: url, headers: headers)
            return try await HTTPTransport().send(request, limits: .fetch) { _ in }.status
        }
        let frontend = "*:development.frontend"
        #expect(try await status(.post, "/api/frontend", frontend) == 400)
        #expect(try await status(.post, "/api/frontend/client/metrics", frontend) == 200)
        #expect(try await status(.post, "/api/frontend/client/register", frontend) == 200)
        #expect(try await status(.get, "/api/frontend/client/features", frontend) == 405)
        #expect(try await status(.get, "/api/frontend/health", frontend) == 405)
        #expect(try await status(.get, "/api/client/features", frontend) == 403)
        #expect(try await status(.get, "/api/client/features") == 200)
        #expect(try await status(.get, "/api/client/features/a") == 200)
        #expect(try await status(.get, "/api/client/features/none") == 404)
        #expect(try await status(.post, "/api/client/register") == 202)
        #expect(try await status(.post, "/api/client/metrics") == 202)
        #expect(try await status(.get, "/elsewhere") == 404)
    }
}
#endif
