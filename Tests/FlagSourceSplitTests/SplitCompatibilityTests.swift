import FlagSourceHTTP
import FlagSourceSplit
import FlagSourceSupport
import FlagTesting
import Testing

@Suite("Split: what holds of every source")
struct SplitCompatibilityTests {
    @Test(arguments: SourceCheck.allCases)
    func compatibility(check: SourceCheck) async throws {
        try await check.run(on: subject(.get))
    }

    @Test("with the attributes in the body there are no versions, and all else holds", arguments: SourceCheck.allCases)
    func compatibilityOfPOST(check: SourceCheck) async throws {
        try await check.run(on: subject(.post))
    }

    private func subject(_ question: SplitSettings.Question) async throws -> SourceSubject {
        let split = try await LoopbackSplit(SampleTreatments.flags, token: "hush-token")
        return SourceSubject(
            source: { url, client in
                var settings = try SplitSettings(baseURL: url)
                settings.token = Secret("hush-token")
                settings.keys = [SplitKey("hush-user"), SplitKey("hush-account", trafficType: "account")]
                settings.question = question
                return SplitSource(settings, client: client)
            },
            service: { split.reply(to: $0) },
            values: SampleTreatments.values, secrets: ["hush-token", "hush-user", "hush-account"],
            transport: HTTPTransport(), hasVersions: question == .get)
    }
}

/// One flag of each kind.
enum SampleTreatments {
    static let flags = [
        LoopbackSplit.Flag("plain", "on"), LoopbackSplit.Flag("off", "off"), LoopbackSplit.Flag("variant", "v2"),
        LoopbackSplit.Flag("configured", "on", config: #"{"sizes": [1, 2]}"#),
        LoopbackSplit.Flag("billing", "on", trafficType: "account"),
        LoopbackSplit.Flag("elsewhere", "on", trafficType: "device"),
    ]

    static let values = [
        "plain": "on", "off": "off", "variant": "v2", "configured": "on", "configured.config": #"{"sizes": [1, 2]}"#,
        "billing": "on",
    ]
}
