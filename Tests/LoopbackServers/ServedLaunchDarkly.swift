import FlagModel
import FlagTesting

extension ServedService {
    /// Flags as servers are told of them, with a stream.
    static func launchDarkly(_ arguments: [String]) async throws -> ServedService {
        let loopback = try await LoopbackLaunchDarkly(
            [
                .init("demo", "true"), .init("color", #""blue""#), .init("limit", "42"), .init("ratio", "7.5"),
                .init("screen", #"{"label": "Welcome", "sizes": [1, 2]}"#),
            ],
            sdkKey: "sdk-key")
        return ServedService(
            server: loopback.server, facts: [("sdkKey", .string("sdk-key"))], stream: LoopbackLaunchDarkly.serverStream,
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
