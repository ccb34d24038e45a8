#if Network
import FlagModel
import FlagTesting
import VendorServers

extension ServedService {
    /// A project with a client template, a server template, a service account and an app.
    static func firebase(_ arguments: [String]) async throws -> ServedService {
        let apps = try await LoopbackFirebaseApps([:])
        let loopback = try await LoopbackFirebase(
            template: #"{"parameters": {"welcome": {"defaultValue": {"value": "hi"}, "valueType": "STRING"}}}"#,
            serverTemplate: SampleTemplates.server(), apps: apps)
        return ServedService(
            server: loopback.server,
            facts: [
                ("project", .string(loopback.project)), ("account", .raw(loopback.serviceAccountFile())),
                ("app", .raw(apps.googleServicesFile)),
            ],
            changes: [
                "publish": { loopback.publish(SampleTemplates.server("fancy"), in: .server) },
                "revoke": { loopback.revokeTokens() },
                "unavailable": { loopback.server.inject(.status(503)) },
            ])
    }
}
#endif
