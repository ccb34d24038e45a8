import FlagModel
import FlagTesting

extension ServedService {
    /// Flags as SDKs are told of them, with a stream.
    static func split(_ arguments: [String]) async throws -> ServedService {
        let flags: [LoopbackSplit.Flag] = [
            .init("demo", "on", config: #"{"c": 1}"#, sets: ["s1"]), .init("color", "blue"),
        ]
        let loopback = try await LoopbackSplit(flags, sdkKey: "sdk-key-1234")
        return ServedService(
            server: loopback.server, facts: [("sdkKey", .string("sdk-key-1234"))], stream: LoopbackSplit.stream,
            changes: [
                "update": { await loopback.update(.init("color", "green", config: "{}")) },
                "set": {
                    await loopback.set([.init("demo", "v2", sets: ["s1"]), .init("color", "red"), .init("added", "on")])
                },
            ])
    }
}
