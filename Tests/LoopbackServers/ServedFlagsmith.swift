#if Network
import FlagModel
import FlagTesting
import VendorServers

extension ServedService {
    /// Features of each type, one of them in a segment and one with an override for an identity.
    static func flagsmith(_ arguments: [String]) async throws -> ServedService {
        let flags: [LoopbackFlagsmith.Flag] = [
            .init("demo"), .init("off", false, value: #""unused""#), .init("title", value: #""Hello""#),
            .init("digits", value: #""42""#), .init("limit", value: "42"), .init("switch", value: "true"),
            .init("screen", value: #""{\"sizes\": [1, 2]}""#),
            .init("color", value: #""gray""#, variant: ("blue", #""navy""#)),
            .init(
                "checkout", false, value: #""classic""#,
                segment: (LoopbackAudience("plan", "pro", "max"), .init(true, #""express""#))),
            .init("own", false, identityOverride: ("user-2", .init(true, "1"))),
            .init("internal", isServerKeyOnly: true),
        ]
        let (environmentKey, serverKey) = ("client-side-key", "ser.key")
        let loopback = try await LoopbackFlagsmith(flags, environmentKey: environmentKey, serverKey: serverKey)
        return ServedService(
            server: loopback.server,
            facts: [("environmentKey", .string(environmentKey)), ("serverKey", .string(serverKey))],
            changes: [
                "set": { loopback.set([.init("demo", false), .init("limit", value: "7"), .init("added")]) },
                "disable": { loopback.disable() },
            ])
    }
}
#endif
