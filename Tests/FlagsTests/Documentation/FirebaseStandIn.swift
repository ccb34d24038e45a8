// The parts of the Firebase SDK that the article calls, with the SDK's names and types (FirebaseRemoteConfig 12).
// The SDK itself exists only for Apple systems.

enum RemoteConfigSource { case remote, `default` }

enum RemoteConfigFetchAndActivateStatus { case successFetchedFromRemote, successUsingPreFetchedData, error }

struct RemoteConfigValue {
    let stringValue: String
}

final class RemoteConfigSettings {
    var minimumFetchInterval = 12.0 * 3_600
}

/// Not `Sendable`, so that code that compiles here also compiles if the SDK's class is not `Sendable`.
final class RemoteConfig {
    struct Unreachable: Error {}

    /// The SDK's values in a test and the result of a fetch; `nil` makes the fetch fail. Visible only to the test's
    /// task.
    @TaskLocal static var inAppDefaults: [String: String] = [:]
    @TaskLocal static var cached: [String: String] = [:]
    @TaskLocal static var fetched: [String: String]?

    var configSettings = RemoteConfigSettings()
    private var active: [String: String] = [:]

    static func remoteConfig() -> RemoteConfig {
        let config = RemoteConfig()
        config.active = cached
        return config
    }

    func allKeys(from source: RemoteConfigSource) -> [String] {
        Array((source == .remote ? active : Self.inAppDefaults).keys)
    }

    func configValue(forKey key: String, source: RemoteConfigSource) -> RemoteConfigValue {
        RemoteConfigValue(stringValue: (source == .remote ? active : Self.inAppDefaults)[key] ?? "")
    }

    func fetchAndActivate() async throws -> RemoteConfigFetchAndActivateStatus {
        guard let fetched = Self.fetched else { throw Unreachable() }
        active = fetched
        return .successFetchedFromRemote
    }
}
