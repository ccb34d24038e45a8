#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceSplit
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// Split: conformance suite.
@Suite(.limitedParallelism)
struct SplitConformanceTests {
    @Test(arguments: SourceCheck.allCases, RequestMethod.allCases)
    func `with GET, or with POST and without versions, for all flags, by names and by sets`(
        check: SourceCheck, requestMethod: RequestMethod
    ) async throws {
        let selections: [(SplitSettings.Selection, [String])] = [
            (.all, Self.values.map(\.key)),
            (.names(["plain", "configured"]), ["plain", "configured", "configured.config"]),
            (.sets(["s1", "s2"]), ["variant", "configured", "configured.config"]),
        ]
        for (selection, keys) in selections {
            var suite = try await suite(requestMethod, selection)
            suite.values = suite.values.filter { keys.contains($0.key) }
            try await check.run(on: suite)
        }
    }

    private func suite(
        _ requestMethod: RequestMethod, _ selection: SplitSettings.Selection
    ) async throws -> SourceConformanceSuite {
        let split = try await LoopbackSplit(Self.flags, token: "hush-token")
        return SourceConformanceSuite(
            source: { url, client in
                var settings = try SplitSettings(baseURL: url)
                settings.token = Secret("hush-token")
                settings.keys = [SplitKey("hush-user"), SplitKey("hush-account", trafficType: "account")]
                settings.requestMethod = requestMethod
                settings.selection = selection
                return SplitSource(settings, client: client)
            },
            service: { split.reply(to: $0) },
            values: FlagTable(Self.values), secrets: ["hush-token", "hush-user", "hush-account"],
            transport: HTTPTransport(), hasVersions: requestMethod == .get, hasBaseURL: true,
            urlEnds: ["/", "/client/"],
            explanations: [
                (.json(#"{"error":"Unauthorized"}"#, status: 401), .refused, #"says "Unauthorized""#),
                (.json(#"{"error":["no key","and no name"]}"#, status: 400), .rejected, "no key; and no name"),
                (.json(#"{"error":{}}"#, status: 500), .faulty, "500"),
                // The evaluator responds with status 200 to an unknown path.
                (.json(#"{"route":"Sorry this page does not exist!"}"#), .malformed, "the URL of a Split evaluator"),
            ])
    }

    /// One flag of each kind.
    private static let flags = [
        LoopbackSplit.Flag("plain", "on"), LoopbackSplit.Flag("off", "off"),
        LoopbackSplit.Flag("variant", "v2", sets: ["s1"]),
        LoopbackSplit.Flag("configured", "on", config: #"{"sizes": [1, 2]}"#, sets: ["s2"]),
        LoopbackSplit.Flag("billing", "on", trafficType: "account"),
        LoopbackSplit.Flag("elsewhere", "on", trafficType: "device"),
    ]

    private static let values = [
        "plain": "on", "off": "off", "variant": "v2", "configured": "on", "configured.config": #"{"sizes": [1, 2]}"#,
        "billing": "on",
    ]
}
#endif
