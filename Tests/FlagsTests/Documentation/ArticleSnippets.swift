import Flags
import Synchronization

// The code of the articles, word for word, with the imports that the articles name.

/// Opens stores in the user's folders, so it is compiled but not run.
enum OpeningSnippets {
    static func open() async {
        #if DEBUG
        let access = OverrideAccess.open
        #else
        let access = OverrideAccess.closed
        #endif
        let flags = FlagStore(app: "shop", sources: [RemoteFile("remote.json")], options: .init(overrides: access))
        FlagStore.main = flags
        await flags.start()
    }

    static func openAndRead() async {
        func showLocations() {}
        let flags = FlagStore(app: "shop", sources: [RemoteFile("remote.json")], options: .init(overrides: .open))
        await flags.start()
        if flags[.multipleLocations] { showLocations() }
    }

    struct WithInterval {
        func open() -> FlagStore {
            #if DEBUG
            let interval = Duration.zero
            #else
            let interval = Duration.seconds(12 * 3_600)
            #endif
            return FlagStore(
                app: "shop", sources: [RemoteFile("remote.json")], options: .init(minimumFetchInterval: interval))
        }
    }

    func openForNextLaunch(_ source: some RemoteSource) -> FlagStore {
        let flags = FlagStore(app: "shop", sources: [source], options: .init(activation: .nextLaunch))
        Task { await flags.fetch() }
        return flags
    }

    func follow(_ flags: FlagStore) -> Task<Void, Never> {
        Task { await flags.followRemote() }
    }

    func followUntilTheEnd(_ isOver: () async -> Void, _ flags: FlagStore) async {
        let subscription = Task { await flags.followRemote() }
        await isOver()
        subscription.cancel()
    }

    func openForTesters(isTester: Bool) -> FlagStore {
        FlagStore(app: "shop", options: .init(overrides: .when(isTester)))
    }

    func openWithVariable() -> FlagStore {
        FlagStore(app: "shop", options: .init(overrides: .whenSet("SHOP_ALLOWS_OVERRIDES")))
    }

    func testerHasSigned(in isTester: Bool, _ flags: FlagStore) {
        flags.setAccess(.when(isTester))
    }

    func openForBeta() -> OverrideAccess {
        #if DEBUG || BETA
        let access = OverrideAccess.open
        #else
        let access = OverrideAccess.closed
        #endif
        return access
    }
}

func title(_ flags: FlagStore) -> String {
    flags[.multipleLocations] ? "Locations" : "Location"
}

struct LocationScreen {
    @Flag(.multipleLocations) var hasMultipleLocations
    @Flag(.maximumItemCount) var maximumItemCount

    var rows: Int { hasMultipleLocations ? maximumItemCount : 1 }
}

struct ReadingSnippets {
    @Flag(.multipleLocations) var hasMultipleLocations

    func follow(_ flags: FlagStore) async {
        for await change in flags.changes(of: .multipleLocations) {
            print("\(change.key) was \(change.old) and is \(change.new).")
        }
    }

    func run(_ flags: FlagStore) async {
        print(title(flags), flags[.maximumItemCount])
        await follow(flags)
    }

    func isAwesome(_ flags: FlagStore) -> Bool {
        do throws(FlagReadError) {
            return try flags.bool("AWESOME_FEATURE")
        } catch {
            // the flag "AWESOME_FEATURE" has the value "maybe", not a valid bool
            print(error)
            return false
        }
    }

    func table(_ flags: FlagStore) -> [String] {
        let explanation = flags.explain(.multipleLocations)
        return explanation.entries.map { entry in
            let mark = entry.layer == explanation.winner ? ">" : " "
            let isRefused = entry.value != nil && !entry.isCastable
            return "\(mark) \(entry.layer.word): \(entry.value?.string ?? "-")\(isRefused ? " (not read)" : "")"
        }
    }

    func banner(_ flags: FlagStore) -> [String] {
        guard let banner = flags.overrideBanner else { return [] }
        let details = flags.activeOverrides.sorted { $0.key < $1.key }.map { key, override in
            "\(key) = \(override.value)"
        }
        return [banner] + details
    }

    func rows(_ flags: FlagStore) -> [String] {
        flags.snapshot().catalog.items.map { item in
            let value = flags.explain(item.key.string).value?.string ?? "-"
            let options = item.options.map(\.value).joined(separator: ", ")
            return "\(item.name.string): \(value) (\(options))"
        }
    }
}

/// Records what is shown, in order.
final class Screen: Sendable {
    private let contents = Mutex<[String]>([])

    var shown: [String] { contents.withLock { $0 } }

    func showLoading() { show("loading") }
    func showLogin(_ login: LoginScreen) { show(login.label.text) }
    func showError(_ sentence: String) { show("error: \(sentence)") }

    private func show(_ text: String) { contents.withLock { $0.append(text) } }
}

struct FetchSnippets {
    func refresh(_ flags: FlagStore) async -> String {
        switch await flags.fetchAndActivate() {
        case .fetchedFromRemote: "New values are in use."
        case .usedPreFetched: "The values in use are new enough."
        case .rateLimited(let seconds): "Rate limited. Retry in \(seconds) s."
        case .failed(let sentence): sentence
        }
    }

    func show(_ flags: FlagStore, on screen: Screen) async {
        for await status in flags.remoteStatuses {
            switch status {
            case .idle, .loading: screen.showLoading()
            case .loaded: screen.showLogin(flags[.loginScreen])
            case .failed(let sentence): screen.showError(sentence)
            }
        }
    }
}

struct SettingsService: RemoteSource {
    let identity: SourceIdentity = "settings-service:shop"
    let name = "Settings service"
    let get: @Sendable (_ version: String?) async throws -> (status: Int, body: [UInt8], version: String?)

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult {
        let response: (status: Int, body: [UInt8], version: String?)
        do {
            response = try await get(version)
        } catch {
            throw SourceError(code: .unreachable, path: name, sentence: "\(error)")
        }
        switch response.status {
        case 200: return .values(response.body, version: response.version)
        case 304: return .unchanged
        case 429: throw SourceError(code: .rateLimited, path: name, sentence: "too many requests")
        default: throw SourceError(code: .refused, path: name, sentence: "status \(response.status)")
        }
    }
}

struct RemoteConfigService {
    let flags: FlagStore

    /// Passes on the values that the SDK has cached, then those that it fetches. If a fetch fails, earlier values stay.
    func start() async throws {
        let remoteConfig = RemoteConfig.remoteConfig()
        let settings = RemoteConfigSettings()
        #if DEBUG
        settings.minimumFetchInterval = 0
        #endif
        remoteConfig.configSettings = settings
        handOver(remoteConfig)
        _ = try await remoteConfig.fetchAndActivate()
        handOver(remoteConfig)
    }

    private func handOver(_ remoteConfig: RemoteConfig) {
        var values: FlagTable<String> = [:]
        // Remote values last, so that they win over the SDK's defaults.
        for source in [RemoteConfigSource.default, .remote] {
            for key in remoteConfig.allKeys(from: source) {
                values[key] = remoteConfig.configValue(forKey: key, source: source).stringValue
            }
        }
        flags.updateRemote(values)
    }
}
