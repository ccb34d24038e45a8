#if Network
import FlagModel
import FlagRemote
import FlagSourceFirebase
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// Firebase: conformance suite.
@Suite(.limitedParallelism)
struct FirebaseConformanceTests {
    /// A template, and how the service responds if it is unchanged.
    enum Reading: CaseIterable { case client, clientWithout304, oldClient, server, serverWithout304, oldServer }

    @Test(arguments: SourceCheck.allCases, Reading.allCases)
    func `with a given token`(check: SourceCheck, reading: Reading) async throws {
        let isServer = [.server, .serverWithout304, .oldServer].contains(reading)
        let isOld = [.oldClient, .oldServer].contains(reading)
        let server = try await LoopbackFirebase(
            template: SampleTemplates.client, serverTemplate: SampleTemplates.server(), token: "hush-token",
            sendsNotModified: ![.clientWithout304, .serverWithout304].contains(reading))
        if isOld { server.publish(#"{"parameters": {}}"#, in: isServer ? .server : .client) }
        var suite = suite(server, requests: 1, isServer ? .server : .client, version: isOld ? 1 : nil) { _ in
            .token(Secret("hush-token"))
        }
        if isServer { suite.values = ["menu": "plain", "limit": "42"] }
        suite.hasBaseURL = true
        try await check.run(on: suite)
    }

    /// With faults of all requests, and of requests for templates only. For the latter, the backoff check is left out: it
    /// takes more than an hour, and the server's clock does not advance, so the server would issue no token. The tests
    /// with a given token cover this check.
    private static let accountChecks =
        SourceCheck.allCases.map { ($0, true) }
        + SourceCheck.allCases.filter { $0 != .backoff }.map { ($0, false) }

    @Test(arguments: accountChecks)
    func `with a service account`(check: SourceCheck, injectsTokenFaults: Bool) async throws {
        // The suite's clock shows the start time of a manual clock, or a few minutes later.
        let now = ManualClock().now
        let server = try await LoopbackFirebase(template: SampleTemplates.client, now: { now })
        try await check.run(
            on: suite(server, requests: 2, isFaultTarget: { injectsTokenFaults || $0.path != "/token" }) { url in
                .serviceAccount(try ServiceAccount(parsing: Array(server.serviceAccountFile(for: url).utf8)))
            })
    }

    private func suite(
        _ server: LoopbackFirebase, requests: Int, _ namespace: FirebaseTemplates.Namespace = .client,
        version: Int? = nil,
        isFaultTarget: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true },
        _ credentials: @escaping @Sendable (_ url: String) throws -> FirebaseCredentials
    ) -> SourceConformanceSuite {
        var suite = SourceConformanceSuite(
            source: { url, client in
                var settings = FirebaseTemplateSettings(
                    try FirebaseTemplates(
                        of: server.project, namespace: namespace,
                        authorization: FirebaseAuthorization(try credentials(url)), address: url))
                settings.version = version
                return FirebaseTemplateSource(settings, client: client)
            },
            service: { await server.reply(to: $0) }, values: ["menu": "false", "limit": "3"],
            secrets: ["hush-token", "ya29", server.serviceAccountSecret], transport: HTTPTransport())
        (suite.requestsPerFetch, suite.isFaultTarget) = (requests, isFaultTarget)
        return suite
    }
}
#endif
