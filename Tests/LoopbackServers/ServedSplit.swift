#if Network
import FlagModel
import FlagTesting
import VendorServers

extension ServedService {
    /// Flags for SDKs, with a stream, and for clients of an evaluator.
    static func split(_ arguments: [String]) async throws -> ServedService {
        let flags: [LoopbackSplit.Flag] = [
            .init("demo", "on", config: #"{"c": 1}"#, sets: ["s1"]), .init("color", "blue"),
            .init("legacy", "off", config: "3"),
            .init(
                "checkout", "classic", config: "plain", sets: ["s1"],
                targeted: (LoopbackAudience("plan", "pro", "max"), "express", #"{"steps": [1]}"#)),
        ]
        let (token, sdkKey) = ("evaluator-token", "sdk-key-1234")
        let loopback = try await LoopbackSplit(flags, token: token, sdkKey: sdkKey)
        return ServedService(
            server: loopback.server, facts: [("sdkKey", .string(sdkKey)), ("token", .string(token))],
            stream: LoopbackSplit.stream,
            changes: [
                "update": { await loopback.update(.init("color", "green", config: "{}")) },
                "set": {
                    await loopback.set([.init("demo", "v2", sets: ["s1"]), .init("color", "red"), .init("added", "on")])
                },
            ])
    }
}
#endif
