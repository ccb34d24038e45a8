#if Network
import FlagModel
import FlagRemote
import FlagSourceGrowthBook
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// GrowthBook: conformance suite.
@Suite(.limitedParallelism)
struct GrowthBookConformanceTests {
    @Test(arguments: SourceCheck.allCases, GrowthBookSettings.Evaluation.allCases)
    func `with local evaluation, or with remote evaluation, which has no versions`(
        check: SourceCheck, evaluation: GrowthBookSettings.Evaluation
    ) async throws {
        let service = try await LoopbackGrowthBook(
            Self.features, clientKey: "sdk-hush-local", remoteKey: "sdk-hush-remote")
        let key = evaluation == .local ? service.clientKey : service.remoteKey
        let suite = SourceConformanceSuite(
            source: { url, client in
                var settings = try GrowthBookSettings(baseURL: url, clientKey: Secret(key))
                settings.attributes = ContextAttributes(["id": "hush-user", "plan": "pro"])
                settings.evaluation = evaluation
                return GrowthBookSource(settings, client: client)
            },
            service: { service.reply(to: $0) },
            values: FlagTable(Self.values), secrets: ["sdk-hush", "hush-user"], transport: HTTPTransport(),
            hasVersions: evaluation == .local, hasBaseURL: true,
            // GrowthBook explains errors in `error`, the GrowthBook Proxy in `message`.
            explanations: ["error", "message"].map { member in
                (.json(#"{"\#(member)": "no \#(key)"}"#, status: 400), .rejected, #"and says "no ***""#)
            })
        try await check.run(on: suite)
    }

    /// One feature of each kind.
    private static let features = [
        LoopbackGrowthBook.Feature("plain", "true"), LoopbackGrowthBook.Feature("off", "false"),
        LoopbackGrowthBook.Feature("text", #""blue""#), LoopbackGrowthBook.Feature("count", "42"),
        LoopbackGrowthBook.Feature("object", #"{"sizes":[1,2]}"#),
        LoopbackGrowthBook.Feature(
            "targeted", #""classic""#, targeted: (LoopbackAudience("plan", "pro"), #""express""#)),
        LoopbackGrowthBook.Feature("unset", "null"),
    ]

    private static let values = [
        "plain": "true", "off": "false", "text": "blue", "count": "42", "object": #"{"sizes":[1,2]}"#,
        "targeted": "express",
    ]
}
#endif
