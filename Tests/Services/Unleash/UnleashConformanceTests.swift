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
        try await check.run(on: suite(requestMethod))
    }

    private func suite(_ requestMethod: RequestMethod) async throws -> SourceConformanceSuite {
        let unleash = try await LoopbackUnleash(SampleToggles.toggles, frontendToken: Self.token)
        return SourceConformanceSuite(
            source: { url, client in
                var settings = try UnleashSettings(baseURL: url, token: Secret(Self.token))
                settings.context.userID = "hush-user"
                settings.requestMethod = requestMethod
                return UnleashSource(settings, client: client)
            },
            service: { unleash.reply(to: $0) },
            values: FlagTable(SampleToggles.values), secrets: ["hush-token", "hush-user"], transport: HTTPTransport(),
            hasVersions: requestMethod == .get, hasBaseURL: true)
    }
}

/// One toggle of each kind.
enum SampleToggles {
    static let toggles = [
        LoopbackUnleash.Toggle("plain"), LoopbackUnleash.Toggle("off", false),
        LoopbackUnleash.Toggle("named", variant: "blue"),
        LoopbackUnleash.Toggle("text", variant: "a", payload: ("string", "42")),
        LoopbackUnleash.Toggle("object", variant: "b", payload: ("json", #"{"sizes": [1, 2]}"#)),
        LoopbackUnleash.Toggle("count", variant: "c", payload: ("number", "42")),
        LoopbackUnleash.Toggle("list", variant: "d", payload: ("csv", "x,y")),
    ]

    static let values = [
        "plain": "true", "named": "true", "named.variant": "blue", "text": "true", "text.variant": "a",
        "text.payload": "42", "object": "true", "object.variant": "b", "object.payload": #"{"sizes": [1, 2]}"#,
        "count": "true", "count.variant": "c", "count.payload": "42", "list": "true", "list.variant": "d",
        "list.payload": "x,y",
    ]
}
#endif
