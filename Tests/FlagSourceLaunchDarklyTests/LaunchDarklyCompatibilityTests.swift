import FlagSourceHTTP
import FlagSourceLaunchDarkly
import FlagSourceSupport
import FlagTesting
import Testing

@Suite("LaunchDarkly: what holds of every source")
struct LaunchDarklyCompatibilityTests {
    @Test(arguments: SourceCheck.allCases)
    func compatibility(check: SourceCheck) async throws {
        let server = try await LoopbackLaunchDarkly(SampleEvaluations.flags, secureModeHash: "hush-hash")
        try await check.run(
            on: subject(server) { settings in settings.secureModeHash = Secret("hush-hash") })
    }

    @Test("as a mobile app, with a key", arguments: SourceCheck.allCases)
    func compatibilityOfMobileApps(check: SourceCheck) async throws {
        let server = try await LoopbackLaunchDarkly(SampleEvaluations.flags, mobileKey: "hush-key")
        try await check.run(on: subject(server) { settings in settings.mobileKey = Secret("hush-key") })
    }

    private func subject(
        _ server: LoopbackLaunchDarkly, _ change: @escaping @Sendable (inout LaunchDarklySettings) -> Void
    ) -> SourceSubject {
        SourceSubject(
            source: { url, client in
                var settings = try LaunchDarklySettings(environment: "client-side-id", baseURL: url)
                change(&settings)
                return LaunchDarklySource(settings, client: client)
            },
            service: { server.reply(to: $0) },
            values: SampleEvaluations.values, secrets: ["hush-hash", "hush-key"], transport: HTTPTransport())
    }
}

/// One flag of each kind.
enum SampleEvaluations {
    static let flags = [
        LoopbackLaunchDarkly.Flag("plain", "true"), LoopbackLaunchDarkly.Flag("off", "false", variation: 1),
        LoopbackLaunchDarkly.Flag("text", #""blue""#), LoopbackLaunchDarkly.Flag("count", "42"),
        LoopbackLaunchDarkly.Flag("ratio", "7.0"), LoopbackLaunchDarkly.Flag("list", "[1, 2]"),
        LoopbackLaunchDarkly.Flag("object", #"{"label": "Welcome"}"#),
        LoopbackLaunchDarkly.Flag("own", nil, variation: nil, reason: nil, version: nil),
        LoopbackLaunchDarkly.Flag("null", "null"),
    ]

    static let values = [
        "plain": "true", "off": "false", "text": "blue", "count": "42", "ratio": "7.0", "list": "[1,2]",
        "object": #"{"label":"Welcome"}"#,
    ]
}
