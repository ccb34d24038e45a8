#if Network
import FlagModel
import FlagRemote
import FlagSourceFirebase
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

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
    @Test(
        arguments: SourceCheck.allCases, [true, false])
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
