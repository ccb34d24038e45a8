#if Network
import FlagModel
import FlagRemote
import FlagTesting
import VendorServers

extension ServedService {
    /// A database that responds in pages of two. The argument is the file of a public key.
    static func cloudKit(_ arguments: [String]) async throws -> ServedService {
        guard arguments.count == 1 else { throw WaitError(description: "the file of a public key is needed") }
        let publicKey = try SourceFileBytes(path: arguments[0], limit: 64 << 10).bytes
        let loopback = try await LoopbackCloudKit(
            [
                .init("new_ui", isActive: true), .init("dark_mode", isActive: false), .init("search", isActive: true),
                .init("odd", fields: #"{"featureName": {"value": "odd", "type": "STRING"}}"#),
                .init("gone", fields: "{}", isDeleted: true),
            ],
            access: .serverKey(id: "key-id", publicKey: String(decoding: publicKey, as: UTF8.self)),
            container: "iCloud.com.example.shop", environment: "development", pageSize: 2)
        return ServedService(
            server: loopback.server, facts: [("container", .string(loopback.container))],
            changes: ["on": { loopback.set([.init("dark_mode", isActive: true)]) }])
    }
}
#endif
