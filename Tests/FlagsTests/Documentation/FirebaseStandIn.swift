import Synchronization

// What the article about the Firebase SDK calls of it, by the names and types of the SDK (FirebaseRemoteConfig 12), which
// is there for Apple's systems only.

enum RemoteConfigSource { case remote, `default` }

enum RemoteConfigFetchAndActivateStatus { case successFetchedFromRemote, successUsingPreFetchedData, error }

enum RemoteConfigFetchStatus { case noFetchYet, success, failure, throttled }

struct RemoteConfigValue {
    let stringValue: String
}

final class RemoteConfigSettings {
    var minimumFetchInterval = 12.0 * 3_600
}

/// Not `Sendable`, so that what compiles with it compiles with the SDK whether that is or not.
final class RemoteConfig {
    struct Unreachable: Error {}

    /// What a test has the SDK hold, and what a fetch brings; `nil` makes it fail. Seen by its task alone.
    @TaskLocal static var inAppDefaults: [String: String] = [:]
    @TaskLocal static var kept: [String: String] = [:]
    @TaskLocal static var fetched: [String: String]?

    var configSettings = RemoteConfigSettings()
    private var active: [String: String] = [:]

    static func remoteConfig() -> RemoteConfig {
        let config = RemoteConfig()
        config.active = kept
        return config
    }

    func allKeys(from source: RemoteConfigSource) -> [String] {
        Array((source == .remote ? active : Self.inAppDefaults).keys)
    }

    func configValue(forKey key: String, source: RemoteConfigSource) -> RemoteConfigValue {
        RemoteConfigValue(stringValue: (source == .remote ? active : Self.inAppDefaults)[key] ?? "")
    }

    func activate() async throws -> Bool { false }

    func fetch() async throws -> RemoteConfigFetchStatus {
        guard Self.fetched != nil else { throw Unreachable() }
        return .success
    }

    func fetchAndActivate() async throws -> RemoteConfigFetchAndActivateStatus {
        guard let fetched = Self.fetched else { throw Unreachable() }
        active = fetched
        return .successFetchedFromRemote
    }
}
