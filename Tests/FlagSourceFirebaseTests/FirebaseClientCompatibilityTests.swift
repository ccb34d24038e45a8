import FlagSourceFirebase
import FlagSourceHTTP
import FlagSourceSupport
import FlagTesting
import Testing

@Suite("Firebase as an app: what holds of every source")
struct FirebaseClientCompatibilityTests {
    @Test(arguments: SourceCheck.allCases, [true, false])
    func compatibility(check: SourceCheck, saysNotModified: Bool) async throws {
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
                secrets: ["hush", "AIza"], transport: HTTPTransport(), requestsPerFetch: 2))
    }
}
