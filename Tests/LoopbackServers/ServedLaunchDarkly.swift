#if Network
import FlagModel
import FlagTesting
import VendorServers

extension ServedService {
    /// Flags for servers and for apps, with a stream. One flag targets an audience. Some other flags have a reason.
    static func launchDarkly(_ arguments: [String]) async throws -> ServedService {
        let loopback = try await LoopbackLaunchDarkly(
            [
                .init("demo", "true"), .init("color", #""blue""#), .init("limit", "42"), .init("ratio", "7.5"),
                .init("screen", #"{"label": "Welcome", "sizes": [1, 2]}"#),
                .init("list", #"["a", 1]"#), .init("legacy", "false", variation: 1, reason: #"{"kind":"OFF"}"#),
                .init(
                    "paid", #""no""#, variation: 2,
                    reason: #"{"kind":"PREREQUISITE_FAILED","prerequisiteKey":"parent"}"#),
                .init("checkout", #""classic""#, targeted: (LoopbackAudience("plan", "pro", "max"), #""express""#)),
            ],
            mobileKey: "mobile-key", sdkKey: "sdk-key")
        return ServedService(
            server: loopback.server,
            facts: [
                ("sdkKey", .string("sdk-key")), ("mobileKey", .string("mobile-key")),
                ("environment", .string("client-side-id")),
            ], stream: LoopbackLaunchDarkly.serverStream,
            changes: [
                "patch": { await loopback.patch(.init("color", #""green""#, version: 2)) },
                "stale": { await loopback.patch(.init("color", #""yellow""#, version: 1)) },
                "delete": { await loopback.delete("limit", version: 2) },
                "put": {
                    await loopback.put([.init("demo", "false", version: 9), .init("added", #""new""#, version: 9)])
                },
                "silently": { loopback.replace([.init("demo", "true", version: 10)]) },
                "heartbeat": { await loopback.heartbeat() },
            ])
    }
}
#endif
