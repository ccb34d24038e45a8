import FlagRemote
import FlagSourceFirebase
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// A connection for each question. The app asks once, so one that a server has ended, of which the news is still on its way, would be
/// a failure that no service has made.
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

@Suite("Firebase as an app: what holds of every source", .fewAtOnce)
struct FirebaseClientConformanceTests {
    @Test("the service that values come from fails, or all do", arguments: SourceCheck.allCases, [true, false])
    func conformance(check: SourceCheck, saysNotModified: Bool) async throws {
        // After these nobody asks for an installation for a day.
        try await run(check, saysNotModified: saysNotModified, lasting: [.status400, .status403]) { _ in true }
        // An installation comes before the values, and what fails there keeps a fetch from asking for them.
        try await run(check, saysNotModified: saysNotModified) { !$0.path.contains("/installations/") }
    }

    private func run(
        _ check: SourceCheck, saysNotModified: Bool, lasting: Set<SourceFault> = [],
        isFaultTarget: @escaping @Sendable (LoopbackRequest) -> Bool
    ) async throws {
        let values = ["menu": "true", "limit": "3", "text": ""]
        // The suite's clock stands where a manual clock begins, or a few minutes later.
        let now = ManualClock().now
        let server = try await LoopbackFirebaseApps(values, saysNotModified: saysNotModified, now: { now })
        try await check.run(
            on: SourceConformanceSuite(
                source: { url, client in
                    let app = try FirebaseApp(googleServices: Array(server.googleServicesFile.utf8))
                    return FirebaseClientSource(try FirebaseClientSettings(app, address: url), client: client)
                },
                service: { server.reply(to: $0) }, values: values,
                secrets: ["hush", "AIza"], transport: FreshConnections(), requestsPerFetch: 2,
                neverRetries: true, lasting: lasting, isFaultTarget: isFaultTarget))
    }
}

@Suite("Firebase as an app: what a service does to those who listen", .fewAtOnce)
struct FirebaseStreamFaultTests {
    /// What the SDK for iOS does not try again.
    private static let lasting: Set<StreamFault> = [
        .status204, .status400, .status401, .status403, .status404, .status500, .redirectLoop, .redirectElsewhere,
        .gzipBomb,
    ]

    @Test("the fault matrix holds", .timeLimit(.minutes(10)))
    func faults() async throws {
        try await StreamConformanceSuite.run {
            let now = ManualClock().now
            let server = try await LoopbackFirebaseApps(["number": "0"], now: { now })
            return StreamConformanceSuite(
                source: { client in
                    let app = try FirebaseApp(googleServices: Array(server.googleServicesFile.utf8))
                    return FirebaseClientSource(try FirebaseClientSettings(app, address: server.url), client: client)
                },
                server: server.server, service: { server.reply(to: $0) },
                isStream: { $0.path.hasSuffix(":streamFetchInvalidations") }, stream: LoopbackFirebaseApps.stream,
                contentType: "application/json", event: Array(#"[{"latestTemplateVersionNumber":"1"}]"#.utf8),
                malformedEvent: Array("{no JSON},".utf8), eventStart: Array(#"[{"latestTemplateVersionNumber":""#.utf8),
                lasting: Self.lasting,
                change: { number, isTold in
                    server.set(["number": "\(number)"])
                    if isTold { await server.announce() }
                    return ["number": "\(number)"]
                },
                secrets: ["hush", "AIza"], transport: HTTPTransport())
        }
    }
}
