import FlagSourceFirebase
import FlagSourceHTTP
import FlagSourceSupport
import FlagTesting
import Testing

@Suite("Firebase as an app: what holds of every source")
struct FirebaseClientCompatibilityTests {
    @Test("the service that values come from fails, or all do", arguments: SourceCheck.allCases, [true, false])
    func compatibility(check: SourceCheck, saysNotModified: Bool) async throws {
        try await run(check, saysNotModified: saysNotModified) { _ in true }
        // An installation comes before the values, and what fails there keeps a fetch from asking for them.
        try await run(check, saysNotModified: saysNotModified) { !$0.path.contains("/installations/") }
    }

    private func run(
        _ check: SourceCheck, saysNotModified: Bool, isStruck: @escaping @Sendable (LoopbackRequest) -> Bool
    ) async throws {
        let values = ["menu": "true", "limit": "3", "text": ""]
        // The suite's clock stands where a manual clock begins, or a few minutes later.
        let now = ManualClock().now
        let server = try await LoopbackFirebaseApps(values, saysNotModified: saysNotModified, now: { now })
        try await check.run(
            on: SourceSubject(
                source: { url, client in
                    let app = try FirebaseApp(googleServices: Array(server.googleServicesFile.utf8))
                    return FirebaseClientSource(try FirebaseClientSettings(app, address: url), client: client)
                },
                service: { server.reply(to: $0) }, values: values,
                secrets: ["hush", "AIza"], transport: HTTPTransport(), requestsPerFetch: 2,
                isStruck: isStruck))
    }
}
