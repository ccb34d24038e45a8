#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceUnleash
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// Unleash: conformance suite.
@Suite(.limitedParallelism)
struct UnleashConformanceTests {
    private static let token = "*:development.hush-token"

    @Test(arguments: SourceCheck.allCases, RequestMethod.allCases)
    func `with GET, or with POST and the context in the body, without versions`(
        check: SourceCheck, requestMethod: RequestMethod
    ) async throws {
        let unleash = try await LoopbackUnleash(Self.toggles, frontendToken: Self.token)
        let suite = SourceConformanceSuite(
            source: { url, client in
                var settings = try UnleashSettings(baseURL: url, token: Secret(Self.token))
                settings.context.userID = "hush-user"
                settings.requestMethod = requestMethod
                return UnleashSource(settings, client: client)
            },
            service: { unleash.reply(to: $0) },
            values: FlagTable(Self.values), secrets: ["hush-token", "hush-user"], transport: HTTPTransport(),
            hasVersions: requestMethod == .get, hasBaseURL: true, urlEnds: ["/", "/api", "/api/frontend/"],
            explanations: [
                (
                    .json(#"{"message": "\#(Self.token) has a different token type"}"#, status: 403), .refused,
                    #"says "*** has a different token type""#
                )
            ])
        try await check.run(on: suite)
    }

    /// One toggle of each kind.
    private static let toggles = [
        LoopbackUnleash.Toggle("plain"), LoopbackUnleash.Toggle("off", false),
        LoopbackUnleash.Toggle("named", variant: "blue"),
        LoopbackUnleash.Toggle("text", variant: "a", payload: ("string", "42")),
        LoopbackUnleash.Toggle("object", variant: "b", payload: ("json", #"{"sizes": [1, 2]}"#)),
        LoopbackUnleash.Toggle("count", variant: "c", payload: ("number", "42")),
        LoopbackUnleash.Toggle("list", variant: "d", payload: ("csv", "x,y")),
    ]

    private static let values = [
        "plain": "true", "named": "true", "named.variant": "blue", "text": "true", "text.variant": "a",
        "text.payload": "42", "object": "true", "object.variant": "b", "object.payload": #"{"sizes": [1, 2]}"#,
        "count": "true", "count.variant": "c", "count.payload": "42", "list": "true", "list.variant": "d",
        "list.payload": "x,y",
    ]
}

/// Unleash: with a loopback server.
@Suite(.limitedParallelism)
struct UnleashServerTests {
    private func source(
        _ url: String, clock: SourceClock = .system, _ change: (inout UnleashSettings) -> Void = { _ in }
    ) throws -> UnleashSource {
        var settings = try UnleashSettings(baseURL: url, token: Secret("*:development.frontend"))
        change(&settings)
        return UnleashSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none, clock: clock))
    }

    @Test func `a toggle that was on and is missing now is off; one that was never on is unknown`() async throws {
        let server = try await LoopbackUnleash([.init("a"), .init("b", variant: "v"), .init("c", false)])
        let source = try source(server.url)
        #expect(try await source.fetchTexts() == ["a": "true", "b": "true", "b.variant": "v"])
        server.set([.init("a", false), .init("b", false), .init("c", false)])
        #expect(try await source.fetchTexts() == ["a": "false", "b": "false"])
        server.set([.init("a"), .init("b", false)])
        #expect(try await source.fetchTexts() == ["a": "true", "b": "false"])
        #expect(try await self.source(server.url).fetchTexts() == ["a": "true"])
    }

    @Test func `with a backend token every toggle is listed; a deleted one is forgotten`() async throws {
        let server = try await LoopbackUnleash([.init("a"), .init("b", false), .init("c", false)])
        let source = try source(server.url) { $0.backendToken = Secret("*:development.client") }
        #expect(try await source.fetchTexts() == ["a": "true", "b": "false", "c": "false"])
        let fetched = try await source.fetchValues()
        #expect(fetched.version == nil, "a response to two requests has no version")
        #expect(try await source.fetchValues().bytes == fetched.bytes, "the response is stable")
        server.set([.init("a", false), .init("d", false)])
        #expect(try await source.fetchTexts() == ["a": "false", "d": "false"])
        server.set([.init("a"), .init("b", false)])
        let refused = try await self.source(server.url) { $0.backendToken = Secret("hush") }.fetchValues()
        #expect(refused.texts == ["a": "true"] && refused.version == nil)
        let warning = refused.document.issues.first?.sentence
        #expect(warning?.contains("not read with the backend token") == true && warning?.contains("hush") == false)
        let other = try self.source(server.url)
        #expect(
            try other.decode(refused.bytes).issues.first?.sentence == warning, "also when it is read from the cache")
    }

    @Test(arguments: [RequestMethod.get, .post])
    func `a cached toggle that is missing now is off, also after a 304`(requestMethod: RequestMethod) async throws {
        let server = try await LoopbackUnleash([.init("a"), .init("b", variant: "v"), .init("c", false)])
        func source() throws -> UnleashSource { try self.source(server.url) { $0.requestMethod = requestMethod } }
        let cached = try await source().fetchValues()
        let later = try source()
        _ = try later.decode(cached.bytes)
        if requestMethod == .get { #expect(try await later.fetch(since: cached.version) == .unchanged) }
        server.set([.init("a"), .init("b", false)])
        #expect(try await later.fetchTexts() == ["a": "true", "b": "false"])
        // The missing toggle is cached as off, so the next run knows it.
        let last = try source()
        _ = try last.decode(try await later.fetchValues(since: cached.version).bytes)
        #expect(try await last.fetchTexts() == ["a": "true", "b": "false"])
    }

    @Test func `a toggle missing for more than 30 days is forgotten, even if cached as off`() async throws {
        let server = try await LoopbackUnleash([.init("a"), .init("b")])
        let clock = ManualClock()
        var cached: [[UInt8]] = []
        /// The values that a new run fetches `days` after the previous one.
        func fetched(after days: Int64) async throws -> [String: String] {
            clock.turn(by: days * 86_400)
            let source = try source(server.url, clock: clock.sourceClock)
            for bytes in cached.suffix(2) { _ = try source.decode(bytes) }
            let fetched = try await source.fetchValues()
            cached.append(fetched.bytes)
            return fetched.texts
        }
        #expect(try await fetched(after: 0) == ["a": "true", "b": "true"])
        server.set([.init("a")])
        #expect(try await fetched(after: 1) == ["a": "true", "b": "false"])
        let bytes = cached.last
        #expect(
            try await fetched(after: 15) == ["a": "true", "b": "false"] && cached.last == bytes,
            "an unchanged response is cached as the same bytes")
        #expect(try await fetched(after: 15) == ["a": "true", "b": "false"])
        #expect(try await fetched(after: 1) == ["a": "true"])
        server.set([.init("a"), .init("b")])
        #expect(try await fetched(after: 40) == ["a": "true", "b": "true"])
        server.set([.init("a")])
        #expect(
            try await fetched(after: 1) == ["a": "true", "b": "false"],
            "the 30 days start again when the toggle disappears again")
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
}
#endif
