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
    @Test(arguments: SourceCheck.allCases, [[], SampleGates.values.map(\.key)])
    func `with readable or with hashed names`(check: SourceCheck, names: [String]) async throws {
        try await check.run(on: suite(names: names))
    }

    private func suite(names: [String]) async throws -> SourceConformanceSuite {
        let statsig = try await LoopbackStatsig(
            SampleGates.gates, SampleGates.configs, clientKey: "client-hush", isAuthorizedForNames: names.isEmpty)
        return SourceConformanceSuite(
            source: { url, client in
                var settings = try StatsigSettings(clientKey: Secret("client-hush"), baseURL: "\(url)/v1")
                settings.user = StatsigUser(userID: "hush-user")
                settings.names = names
                return StatsigSource(settings, client: client)
            },
            service: { statsig.reply(to: $0) },
            values: FlagTable(SampleGates.values), secrets: ["client-hush", "hush-user"], transport: HTTPTransport(),
            hasBaseURL: true)
    }
}

/// One flag of each kind.
enum SampleGates {
    static let gates = [LoopbackStatsig.Gate("plain"), LoopbackStatsig.Gate("off", false)]

    static let configs = [
        LoopbackStatsig.Config("colors", .dynamicConfig, #"{"sizes":[1,2]}"#),
        LoopbackStatsig.Config("price", .experiment, #"{"price":7.5}"#, group: "Control"),
        LoopbackStatsig.Config("later", .experiment, "{}"), LoopbackStatsig.Config("home", .layer, #"{"title":"Hi"}"#),
    ]

    static let values = [
        "plain": "true", "off": "false", "colors": #"{"sizes":[1,2]}"#, "price": #"{"price":7.5}"#, "later": "{}",
        "home": #"{"title":"Hi"}"#,
    ]
}
#endif
