#if Network
import FlagModel
import FlagTesting
import VendorServers

extension ServedService {
    /// Flags of each type. The Python client reads them one by one and requires a variant.
    static func ofrep(_ arguments: [String]) async throws -> ServedService {
        let flags: [LoopbackOFREP.Flag] = [
            .init(
                "discount-banner", "true", reason: "TARGETING_MATCH", variant: "enabled",
                metadata: #"{"team": "ecommerce", "priority": 2, "ratio": 0.5, "beta": true}"#),
            .init("theme-color", #""blue""#, variant: "default"), .init("max-items", "42", variant: "many"),
            .init("ratio", "7.5", reason: "SPLIT", variant: "b"),
            .init("login-screen", #"{"label": "Welcome", "sizes": [1, 2]}"#, variant: "plain"),
            .init("odd/key ü", "false", reason: "DISABLED", variant: "off"),
            .init(
                "checkout", #""classic""#, variant: "a",
                targeted: (LoopbackAudience("plan", "pro", "max"), #""express""#, "b")),
            .init("broken", nil, failure: ("INVALID_CONTEXT", "The field \"email\" is missing")),
        ]
        let loopback = try await LoopbackOFREP(flags, token: "token", apiKey: "key")
        @Sendable func refuse(_ status: Int, _ body: String) {
            loopback.server.inject(.json(body, status: status), times: .max)
        }
        return ServedService(
            server: loopback.server, facts: [("token", .string("token")), ("apiKey", .string("key"))],
            stream: LoopbackOFREP.stream,
            changes: [
                "off": {
                    await loopback.set(
                        [
                            .init("discount-banner", "false", reason: "DISABLED", variant: "disabled")
                        ] + flags.dropFirst())
                },
                "refuseContext": {
                    refuse(400, #"{"errorCode": "INVALID_CONTEXT", "errorDetails": "the age is no text"}"#)
                },
                "forbid": { loopback.server.inject(.status(403), times: .max) },
                "fail": { refuse(500, #"{"errorDetails": "the rules cannot be read"}"#) },
                "recover": { loopback.server.recover() },
                "throttleForLong": {
                    loopback.server.inject(.status(429, headers: [("Retry-After", "90")]), times: .max)
                },
                "throttle": { loopback.server.inject(.status(429, headers: [("Retry-After", "1")])) },
            ])
    }
}
#endif
