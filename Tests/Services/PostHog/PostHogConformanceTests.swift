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
        let posthog = try await LoopbackPostHog(SampleFlags.flags, key: Self.key)
        let suite = SourceConformanceSuite(
            source: { url, client in
                var settings = try PostHogSettings(baseURL: url, projectAPIKey: Secret(Self.key))
                settings.context.distinctID = "hush-person"
                settings.context.groups = ["company": "hush-company"]
                return PostHogSource(settings, client: client)
            },
            service: { posthog.reply(to: $0) },
            values: FlagTable(SampleFlags.values), secrets: ["hush-key", "hush-person", "hush-company"],
            transport: HTTPTransport(), hasVersions: false, hasBaseURL: true)
        try await check.run(on: suite)
    }
}

/// One flag of each kind.
enum SampleFlags {
    static let flags = [
        LoopbackPostHog.Flag("plain"), LoopbackPostHog.Flag("off", false),
        LoopbackPostHog.Flag("variant", variant: "blue"),
        LoopbackPostHog.Flag("object", variant: "a", payload: #"{"sizes": [1, 2]}"#),
        LoopbackPostHog.Flag("count", payload: "42"), LoopbackPostHog.Flag("text", payload: #""Hello""#),
        LoopbackPostHog.Flag("company", groupType: "company"),
        LoopbackPostHog.Flag("team", groupType: "team"), LoopbackPostHog.Flag("server", runtime: "server"),
    ]

    static let values = [
        "plain": "true", "off": "false", "variant": "blue", "object": "a", "object.payload": #"{"sizes":[1,2]}"#,
        "count": "true", "count.payload": "42", "text": "true", "text.payload": "Hello", "company": "true",
        "team": "false", "server": "true",
    ]
}
#endif
