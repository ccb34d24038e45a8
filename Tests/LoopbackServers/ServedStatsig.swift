#if Network
import FlagModel
import FlagTesting
import VendorServers

extension ServedService {
    /// Gates, configs, experiments and layers for apps and for servers. Some target an audience.
    static func statsig(_ arguments: [String]) async throws -> ServedService {
        let plan = LoopbackAudience("plan", "pro", "max")
        let gates: [LoopbackStatsig.Gate] = [
            .init("demo"), .init("dark_mode", false), .init("checkout", audience: plan),
            .init("own", audience: LoopbackAudience("userID", "user-2")),
        ]
        let configs: [LoopbackStatsig.Config] = [
            .init("colors", .dynamicConfig, ##"{"hex": "#000"}"##, targeted: (plan, ##"{"sizes": [1, 2]}"##, nil)),
            .init(
                "price", .experiment, #"{"price": 7.5}"#, group: "Control",
                targeted: (plan, #"{"price": 9}"#, "Test")),
            .init("later", .experiment, "{}"), .init("home", .layer, #"{"title": "Hi", "count": 3}"#),
        ]
        let (clientKey, serverKey) = ("client-loopback", "secret-loopback")
        let loopback = try await LoopbackStatsig(gates, configs, clientKey: clientKey, serverKey: serverKey)
        return ServedService(
            server: loopback.server,
            facts: [("clientKey", .string(clientKey)), ("serverKey", .string(serverKey))],
            changes: [
                "on": {
                    loopback.set(
                        [.init("demo", false), .init("dark_mode")],
                        [.init("colors", .dynamicConfig, ##"{"hex": "#0f0"}"##)])
                }
            ])
    }
}
#endif
