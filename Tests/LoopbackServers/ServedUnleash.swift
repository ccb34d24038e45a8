import FlagModel
import FlagTesting

extension ServedService {
    /// Toggles as servers are told of them.
    static func unleash(_ arguments: [String]) async throws -> ServedService {
        let toggles: [LoopbackUnleash.Toggle] = [
            .init("demo", true), .init("dark_mode", false),
            .init("color", true, variant: "blue", payload: (type: "json", value: ##"{"hex": "#00f"}"##)),
        ]
        let loopback = try await LoopbackUnleash(toggles, clientToken: "*:development.client")
        return ServedService(
            server: loopback.server, facts: [("token", .string("*:development.client"))],
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
