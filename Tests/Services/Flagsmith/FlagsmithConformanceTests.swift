#if Network
import FlagModel
import FlagRemote
import FlagSourceFlagsmith
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// Flagsmith: conformance suite.
@Suite(.limitedParallelism)
struct FlagsmithConformanceTests {
    @Test(arguments: SourceCheck.allCases)
    func `with the flags of the environment`(check: SourceCheck) async throws {
        try await check.run(on: suite(FlagsmithContext(), Self.values))
    }

    @Test(arguments: SourceCheck.allCases, LoopbackFlagsmith.Edition.allCases)
    func `with the flags of an identity, from the server and from the Edge Proxy`(
        check: SourceCheck, edition: LoopbackFlagsmith.Edition
    ) async throws {
        let context = FlagsmithContext(identifier: "hush-user", traits: ["plan": "pro", "name": "hush-trait"])
        let values = Self.values.merging(Self.valuesOfIdentity) { $1 }
        try await check.run(on: suite(context, values, edition))
    }

    private func suite(
        _ context: FlagsmithContext, _ values: [String: String], _ edition: LoopbackFlagsmith.Edition = .server
    ) async throws -> SourceConformanceSuite {
        let flagsmith = try await LoopbackFlagsmith(Self.flags, environmentKey: "hush-key", edition: edition)
        return SourceConformanceSuite(
            source: { url, client in
                var settings = try FlagsmithSettings(baseURL: url, environmentKey: Secret("hush-key"))
                settings.context = context
                return FlagsmithSource(settings, client: client)
            },
            service: { flagsmith.reply(to: $0) },
            values: FlagTable(values), secrets: ["hush-key", "hush-user", "hush-trait"], transport: HTTPTransport(),
            hasVersions: false, hasBaseURL: true,
            urlEnds: ["/", "/api", "/api/v1/", "/api/v1/flags/", "/api/v1/identities"],
            // Django REST framework responds with status 403 instead of 401 if it sends no header WWW-Authenticate. The
            // Edge Proxy has other statuses and members.
            explanations: [
                (.json(#"{"detail":"Invalid Environment Key"}"#, status: 403), .refused, #"says "Invalid Environment"#),
                (.json(#"{"message":"unknown hush-key"}"#, status: 401), .refused, #"401), and says "unknown ***""#),
                (.json(#"{"traits":[{"trait_value":["too long"]}]}"#, status: 400), .rejected, "400"),
                (.json(#"{"detail":[{"type":"missing","msg":"Field required"}]}"#, status: 422), .rejected, "422"),
            ])
    }

    /// One feature of each kind.
    private static let flags = [
        LoopbackFlagsmith.Flag("plain"), LoopbackFlagsmith.Flag("off", false, value: #""unused""#),
        LoopbackFlagsmith.Flag("text", value: #""42""#), LoopbackFlagsmith.Flag("empty", value: #""""#),
        LoopbackFlagsmith.Flag("object", value: #""{\"sizes\": [1, 2]}""#),
        LoopbackFlagsmith.Flag("count", value: "42"), LoopbackFlagsmith.Flag("switch", value: "false"),
        LoopbackFlagsmith.Flag("color", value: #""gray""#, variant: ("blue", #""navy""#)),
        LoopbackFlagsmith.Flag(
            "checkout", false, segment: (LoopbackAudience("plan", "pro"), .init(true, #""express""#))),
        LoopbackFlagsmith.Flag("own", false, identityOverride: ("hush-user", .init(true, "1"))),
        LoopbackFlagsmith.Flag("internal", isServerKeyOnly: true),
    ]

    /// The values for the environment.
    private static let values = [
        "plain": "true", "off": "false", "off.value": "unused", "text": "true", "text.value": "42", "empty": "true",
        "empty.value": "", "object": "true", "object.value": #"{"sizes": [1, 2]}"#, "count": "true",
        "count.value": "42", "switch": "true", "switch.value": "false", "color": "true", "color.value": "gray",
        "checkout": "false", "own": "false",
    ]

    /// The values that differ for the identity.
    private static let valuesOfIdentity = [
        "color.value": "navy", "checkout": "true", "checkout.value": "express", "own": "true", "own.value": "1",
    ]
}
#endif
