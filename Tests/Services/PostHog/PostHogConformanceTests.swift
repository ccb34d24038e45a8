#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourcePostHog
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// PostHog: conformance suite.
@Suite(.limitedParallelism)
struct PostHogConformanceTests {
    private static let key = "phc_hush-key"

    @Test(arguments: SourceCheck.allCases)
    func conformance(check: SourceCheck) async throws {
        let posthog = try await LoopbackPostHog(Self.flags, key: Self.key)
        let suite = SourceConformanceSuite(
            source: { url, client in
                var settings = try PostHogSettings(baseURL: url, projectAPIKey: Secret(Self.key))
                settings.context.distinctID = "hush-person"
                settings.context.groups = ["company": "hush-company"]
                return PostHogSource(settings, client: client)
            },
            service: { posthog.reply(to: $0) },
            values: FlagTable(Self.values), secrets: ["hush-key", "hush-person", "hush-company"],
            transport: HTTPTransport(), hasVersions: false, hasBaseURL: true, urlEnds: ["/", "/flags/"],
            explanations: [
                (.json(#"{"detail": "Not \#(Self.key)"}"#, status: 401), .refused, #""Not ***""#),
                (.json(#"{"detail": "Not \#(Self.key)"}"#, status: 429), .rateLimited, #""Not ***""#),
                (.respond(Self.plainText("Not \(Self.key)")), .rejected, #""Not ***""#),
                (.json(#"{"flags": {}, "quotaLimited": ["feature_flags"]}"#), .rateLimited, "billing limit"),
            ])
        try await check.run(on: suite)
    }

    private static func plainText(_ text: String) -> SourceResponse {
        SourceResponse(
            status: 400, headers: SourceHeaders([("Content-Type", "text/plain; charset=utf-8")]),
            body: Array(text.utf8))
    }

    /// One flag of each kind.
    private static let flags = [
        LoopbackPostHog.Flag("plain"), LoopbackPostHog.Flag("off", false),
        LoopbackPostHog.Flag("variant", variant: "blue"),
        LoopbackPostHog.Flag("object", variant: "a", payload: #"{"sizes": [1, 2]}"#),
        LoopbackPostHog.Flag("count", payload: "42"), LoopbackPostHog.Flag("text", payload: #""Hello""#),
        LoopbackPostHog.Flag("company", groupType: "company"),
        LoopbackPostHog.Flag("team", groupType: "team"), LoopbackPostHog.Flag("server", runtime: "server"),
    ]

    private static let values = [
        "plain": "true", "off": "false", "variant": "blue", "object": "a", "object.payload": #"{"sizes":[1,2]}"#,
        "count": "true", "count.payload": "42", "text": "true", "text.payload": "Hello", "company": "true",
        "team": "false", "server": "true",
    ]
}

/// PostHog: with a loopback server.
@Suite(.limitedParallelism)
struct PostHogServerTests {
    private func source(_ url: String) throws -> PostHogSource {
        let settings = try PostHogSettings(baseURL: url, projectAPIKey: Secret("phc_loopback"))
        return PostHogSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
    }

    @Test func `equal flags have equal bytes, even if their order and the request's ID differ`() async throws {
        let server = try await LoopbackPostHog([.init("a"), .init("b", variant: "v", payload: #"{"c": "é \"x\""}"#)])
        let source = try source(server.url)
        let first = try await source.fetchValues().bytes
        #expect(try await source.fetchValues().bytes == first)
        server.set([.init("a", false)])
        #expect(try await source.fetchValues().bytes != first)
    }

    @Test func `a flag that PostHog cannot evaluate keeps its last value, also after a restart`() async throws {
        let server = try await LoopbackPostHog([.init("a", variant: "v", payload: "1"), .init("b")])
        let source = try source(server.url)
        let all = ["a": "v", "a.payload": "1", "b": "true"]
        let cached = try await source.fetchValues().bytes
        server.set([.init("a", isFailing: true), .init("b", false), .init("new", isFailing: true)])
        let partial = all.merging(["b": "false"]) { $1 }
        #expect(try await source.fetchTexts() == partial)
        let restarted = try self.source(server.url)
        _ = try restarted.decode(cached)
        #expect(try await restarted.fetchTexts() == partial)
        #expect(
            try await self.source(server.url).fetchTexts() == ["b": "false"], "the failing flags have no last values")
        server.set([.init("b")])
        #expect(try await source.fetchTexts() == ["b": "true"], "a complete response removes flags")
    }
}
#endif
