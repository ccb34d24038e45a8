#if Network
import FlagModel
import FlagRemote
import FlagSourceCloudKit
import FlagTesting
import VendorServers

extension ServedService {
    /// A database that responds in pages of two. The arguments are the files of a private and a public key. A request
    /// signed with the private key is among the facts, so that another program can verify the signature.
    static func cloudKit(_ arguments: [String]) async throws -> ServedService {
        guard arguments.count == 2 else { throw WaitError(description: "two files of keys are needed") }
        let publicKey = try SourceFileBytes(path: arguments[1], limit: 64 << 10).bytes
        let loopback = try await LoopbackCloudKit(
            [
                .init("new_ui", isActive: true), .init("dark_mode", isActive: false), .init("search", isActive: true),
                .init("odd", fields: #"{"featureName": {"value": "odd", "type": "STRING"}}"#),
                .init("gone", fields: "{}", isDeleted: true),
            ],
            access: .serverKey(id: "key-id", publicKey: String(decoding: publicKey, as: UTF8.self)),
            container: "iCloud.com.example.shop", environment: "development", pageSize: 2)
        let key = try CloudKitServerKey(id: Secret("key-id"), path: arguments[0])
        return ServedService(
            server: loopback.server,
            facts: [("container", .string(loopback.container)), ("signed", try signed(with: key))],
            changes: ["on": { loopback.set([.init("dark_mode", isActive: true)]) }])
    }

    private static func signed(with key: CloudKitServerKey) throws -> JSONOutput {
        var settings = try CloudKitSettings(container: "iCloud.com.example.shop", credentials: .serverKey(key))
        settings.environment = .development
        let request = try key.sign(
            settings.request(), path: settings.queryPath, now: FlagTimestamp(seconds: 1_767_323_045))
        func header(_ name: String) -> JSONOutput { .string(request.headers["X-Apple-CloudKit-Request-\(name)"] ?? "") }
        return [
            "body": .string(String(decoding: request.body, as: UTF8.self)), "date": header("ISO8601Date"),
            "path": .string(request.url.path), "signature": header("SignatureV1"),
        ]
    }
}
#endif
