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

/// Opens a new connection for each request. The source does not repeat a request, so a reused connection that the
/// server has just closed would be an error that the service did not cause.
private struct FreshConnections: SourceTransport {
    private let streams = HTTPTransport()

    func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse {
        try await HTTPTransport().send(request, limits: limits, progress: progress)
    }

    func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        try await streams.open(request, limits: limits)
    }
}

extension LoopbackFirebaseApps {
    /// A source of the known app.
    ///
    /// - Parameter url: the URL of the services; `nil` for this server.
    func source(at url: String? = nil, _ client: SourceClient) throws -> FirebaseClientSource {
        let app = try FirebaseApp(googleServices: Array(googleServicesFile.utf8))
        return FirebaseClientSource(try FirebaseClientSettings(app, address: url ?? self.url), client: client)
    }
}

/// Firebase as an app: conformance suite.
@Suite(.limitedParallelism)
struct FirebaseClientConformanceTests {
    @Test(arguments: SourceCheck.allCases, [true, false])
    func `with faults of all services, and of the values service only`(check: SourceCheck, sendsNotModified: Bool)
        async throws
    {
        try await run(check, sendsNotModified: sendsNotModified) { _ in true }
        // The installation is requested before the values. If it fails, the fetch does not request values.
        try await run(check, sendsNotModified: sendsNotModified) { !$0.path.contains("/installations/") }
    }

    private func run(
        _ check: SourceCheck, sendsNotModified: Bool, isFaultTarget: @escaping @Sendable (LoopbackRequest) -> Bool
    ) async throws {
        let values = ["menu": "true", "limit": "3", "text": ""]
        // The suite's clock shows the start time of a manual clock, or a few minutes later.
        let now = ManualClock().now
        let server = try await LoopbackFirebaseApps(values, sendsNotModified: sendsNotModified, now: { now })
        var suite = SourceConformanceSuite(
            source: { url, client in try server.source(at: url, client) },
            service: { server.reply(to: $0) }, values: FlagTable(values),
            secrets: ["hush", "AIza"], transport: FreshConnections(), hasBaseURL: true)
        (suite.requestsPerFetch, suite.neverRetries, suite.isFaultTarget) = (2, true, isFaultTarget)
        try await check.run(on: suite)
    }
}

/// Firebase as an app: stream faults.
@Suite(.limitedParallelism)
struct FirebaseStreamFaultTests {
    /// Faults that the iOS SDK does not retry.
    private static let lasting: Set<StreamFault> = [
        .status204, .status400, .status401, .status403, .status404, .status500, .redirectLoop, .redirectElsewhere,
        .gzipBomb,
    ]

    @Test(.timeLimit(.minutes(10)))
    func `the stream passes the fault matrix`() async throws {
        try await StreamConformanceSuite.run {
            let now = ManualClock().now
            let server = try await LoopbackFirebaseApps(["number": "0"], now: { now })
            var suite = StreamConformanceSuite(
                source: { client in try server.source(client) },
                server: server.server, service: { server.reply(to: $0) },
                isStream: { $0.path.hasSuffix(":streamFetchInvalidations") }, stream: LoopbackFirebaseApps.stream,
                event: Array(#"[{"latestTemplateVersionNumber":"1"}]"#.utf8),
                malformedEvent: Array("{no JSON},".utf8), eventStart: Array(#"[{"latestTemplateVersionNumber":""#.utf8),
                change: { number, isReported in
                    server.set(["number": "\(number)"])
                    if isReported { await server.announce() }
                    return ["number": "\(number)"]
                },
                secrets: ["hush", "AIza"], transport: HTTPTransport())
            (suite.contentType, suite.lasting) = ("application/json", Self.lasting)
            return suite
        }
    }
}
#endif
