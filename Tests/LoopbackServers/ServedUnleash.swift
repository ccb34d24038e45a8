#if Network
import FlagModel
import FlagTesting
import VendorServers

extension ServedService {
    /// Toggles for servers and for apps. Two toggles target an audience.
    static func unleash(_ arguments: [String]) async throws -> ServedService {
        let toggles: [LoopbackUnleash.Toggle] = [
            .init("demo", true), .init("dark_mode", false),
            .init("color", true, variant: "blue", payload: (type: "json", value: ##"{"hex": "#00f"}"##)),
            .init("limit", true, variant: "many", payload: (type: "number", value: "42")),
            .init("plain", true, variant: "only", payload: (type: "csv", value: "1,2")),
            .init("checkout", true, variant: "express", audience: LoopbackAudience("plan", "pro", "max")),
            .init("own", true, audience: LoopbackAudience("userId", "user-2")),
        ]
        let (token, frontendToken) = ("*:development.client", "*:development.frontend")
        let loopback = try await LoopbackUnleash(toggles, frontendToken: frontendToken, clientToken: token)
        return ServedService(
            server: loopback.server,
            facts: [("token", .string(token)), ("frontendToken", .string(frontendToken))],
            changes: [
                "on": {
                    loopback.set([
                        .init("demo", false), .init("dark_mode", true),
                        .init("color", true, variant: "green", payload: (type: "string", value: "#0f0")),
                    ])
                }
            ])
    }
}
#endif
