#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceStatsig
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// Statsig: conformance suite.
@Suite(.limitedParallelism)
struct StatsigConformanceTests {
    @Test(arguments: SourceCheck.allCases, [[], Self.values.map(\.key)])
    func `with readable or with hashed names`(check: SourceCheck, names: [String]) async throws {
        let statsig = try await LoopbackStatsig(
            [.init("plain"), .init("off", false)], Self.configs, clientKey: "client-hush",
            isAuthorizedForNames: names.isEmpty)
        let suite = SourceConformanceSuite(
            source: { url, client in
                var settings = try StatsigSettings(clientKey: Secret("client-hush"), baseURL: "\(url)/v1")
                settings.user = StatsigUser(userID: "hush-user")
                settings.names = names
                return StatsigSource(settings, client: client)
            },
            service: { statsig.reply(to: $0) },
            values: FlagTable(Self.values), secrets: ["client-hush", "hush-user"], transport: HTTPTransport(),
            hasBaseURL: true,
            explanations: [(.json(#"{"message": "Unauthorized"}"#, status: 401), .refused, #"says "Unauthorized""#)])
        try await check.run(on: suite)
    }

    /// A flag of each kind besides gates.
    private static let configs = [
        LoopbackStatsig.Config("colors", .dynamicConfig, #"{"sizes":[1,2]}"#),
        LoopbackStatsig.Config("price", .experiment, #"{"price":7.5}"#, group: "Control"),
        LoopbackStatsig.Config("later", .experiment, "{}"), LoopbackStatsig.Config("home", .layer, #"{"title":"Hi"}"#),
    ]

    private static let values = [
        "plain": "true", "off": "false", "colors": #"{"sizes":[1,2]}"#, "price": #"{"price":7.5}"#, "later": "{}",
        "home": #"{"title":"Hi"}"#,
    ]
}

/// Statsig: with a loopback server.
@Suite(.limitedParallelism)
struct StatsigServerTests {
    private func source(_ url: String, names: [String] = []) throws -> StatsigSource {
        var settings = try StatsigSettings(clientKey: Secret("client-key"), baseURL: url)
        settings.names = names
        return StatsigSource(settings, client: SourceClient(transport: HTTPTransport(), retry: .none))
    }

    @Test func `values are sent again after a move or a change, and no personal data is cached`() async throws {
        let server = try await LoopbackStatsig([.init("a")])
        let source = try source(server.url)
        let first = try await source.fetchValues()
        let text = String(decoding: first.bytes, as: UTF8.self)
        #expect(!text.contains("127.0.0.1") && !text.contains("\"user\""), "the user is not cached: \(text)")
        #expect(try await source.fetch(since: first.version) == .unchanged)
        server.move(to: "FR")
        let second = try await source.fetchValues(since: first.version)
        #expect(second.version == first.version && first.version?.contains("127.0.0.1") == false)
        #expect(try await source.fetch(since: second.version) == .unchanged)
        server.set([.init("a", false)])
        #expect(try await source.fetchValues(since: second.version).texts == ["a": "false"])
    }
}
#endif
