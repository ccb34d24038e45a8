#if Network
import FlagModel
import FlagTesting
import VendorServers

extension ServedService {
    /// Flags of persons and groups, with variants and payloads. One flag is only for apps, and one cannot be evaluated.
    static func posthog(_ arguments: [String]) async throws -> ServedService {
        let flags: [LoopbackPostHog.Flag] = [
            .init("demo"), .init("dark-mode", false), .init("color", variant: "blue", payload: ##"{"hex": "#00f"}"##),
            .init("limit", payload: "42"), .init("greeting", variant: "formal", payload: #""Good day""#),
            .init("checkout", variant: "express", audience: LoopbackAudience("plan", "pro", "max")),
            .init("invoices", audience: LoopbackAudience("$group_key", "acme"), groupType: "company"),
            .init("seats", payload: "[1,2]", audience: LoopbackAudience("size", "large"), groupType: "company"),
            .init("app-only", runtime: "client"),
        ]
        let key = "phc_1234567890"
        let loopback = try await LoopbackPostHog(flags, key: key)
        return ServedService(
            server: loopback.server, facts: [("key", .string(key))],
            changes: [
                "update": {
                    loopback.set([.init("demo", false), .init("color", variant: "green", payload: "true")])
                },
                "fail": {
                    loopback.set([.init("demo", isFailing: true), .init("color", variant: "red")])
                },
                "limit": { loopback.limitQuota() },
            ])
    }
}
#endif
