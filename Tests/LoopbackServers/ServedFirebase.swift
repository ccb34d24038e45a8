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
            serverTemplate: serverTemplate("plain"), apps: apps)
        return ServedService(
            server: loopback.server,
            facts: [
                ("project", .string(loopback.project)), ("account", .raw(loopback.serviceAccountFile())),
                ("app", .raw(apps.googleServicesFile)),
            ],
            changes: [
                "publish": { loopback.publish(serverTemplate("fancy"), in: .server) },
                "revoke": { loopback.revokeTokens() },
                "unavailable": { loopback.server.inject(.status(503)) },
            ])
    }

    /// A server template. Its percent condition applies to the id `three`, as in the protocol's worked examples, but
    /// not to `one`.
    private static func serverTemplate(_ value: String) -> String {
        """
        {"conditions": [
            {"name": "half", "condition": {"orCondition": {"conditions": [{"andCondition": {"conditions": [
              {"percent": {"percentOperator": "BETWEEN", "seed": "3",
                "microPercentRange": {"microPercentLowerBound": 0, "microPercentUpperBound": 50000000}}}]}}]}}},
            {"name": "pro", "condition": {"customSignal": {"customSignalOperator": "STRING_EXACTLY_MATCHES",
              "customSignalKey": "plan", "targetCustomSignalValues": ["pro"]}}}],
         "parameters": {
            "menu": {"defaultValue": {"value": "\(value)"}, "valueType": "STRING",
              "conditionalValues": {"half": {"value": "half"}, "pro": {"value": "pro"}}},
            "limit": {"defaultValue": {"value": "42"}, "valueType": "NUMBER"},
            "own": {"defaultValue": {"useInAppDefault": true}}}}
        """
    }
}
#endif
