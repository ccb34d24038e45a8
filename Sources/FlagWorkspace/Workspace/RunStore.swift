import DeveloperMenuTerminal
import FlagModel
import FlagPresence
package import FlagRemote
import FlagSourceFile
package import FlagStorage
package import Flags

/// The flags of a run: a `FlagStore` as in an app, opened with the settings of the run.
package struct RunStore {
    package let settings: Settings
    package let flags: FlagStore
    /// The network access to services.
    package let services: Services
    /// The store for overrides.
    package let store: OverrideStore
    /// Why some changes are not the user's, or were restored at the start, as a sentence; `nil` if neither.
    package private(set) var liveNotice: String?
    /// The entries of `--defaults` that were left out.
    let defaultsIssues: [DocumentIssue]

    /// Creates the store. Reads the defaults, but no source.
    ///
    /// - Parameters:
    ///   - limit: how long the only attempt to read a service may take; `nil` for the usual attempts.
    ///   - isPrompting: whether to prompt the user on a terminal for permissions of the project file.
    ///   - sendsRequests: whether requests may be sent. If not, the project file needs no permission for credentials.
    ///   - usesCache: whether to read and write cached responses.
    ///   - author: returns the author of changes.
    /// - Throws: an error if the project file lacks a permission, or the defaults cannot be read.
    package init(
        _ settings: Settings, limit: Duration? = nil, isPrompting: Bool = true,
        sendsRequests: Bool = true, usesCache: Bool = true,
        author: @escaping @Sendable () -> String = { ProcessEnvironment.userName }
    ) throws(CommandFailure) {
        try settings.requireTrust(isPrompting: isPrompting, sendsRequests: sendsRequests)
        self.settings = settings
        let services = Services(settings.environment, limit: limit)
        let cache = RemoteCache(folder: usesCache ? settings.cacheDirectory : nil)
        let sources: [any RemoteSource] =
            settings.isSample
            ? [SampleSource()]
            : settings.hasOnlyCode
                ? [RunningAppSource(settings)]
                : settings.sources.map { source in
                    var source = source
                    source.state = (settings.stateDirectory, services.warnings.add)
                    source.activatesUpdates = source.kind == nil && settings.project?.activatesManually != true
                    return ConfiguredSource(source, services, cache)
                }
        let remote = RemoteEngine(
            sources: sources, cache: cache, policy: RemotePolicy(activation: .manual, minimumInterval: .zero))
        store = Self.store(of: settings, by: author)
        liveNotice = Self.recover(store)
        let defaults = try Self.defaults(of: settings)
        defaultsIssues = defaults.issues
        flags = FlagStore(
            app: settings.app, access: .open, overrides: store, remote: remote,
            team: settings.team.map { ConfiguredTeam($0, settings, services) },
            teamCache: RemoteCache(folder: usesCache ? settings.teamCacheDirectory : nil),
            values: LayerValues([
                .launch: LayerContent(texts: settings.launch), .default: LayerContent(defaults.values),
            ]))
        self.services = services
    }

    /// That some changes are not the user's, and warnings about the network access to services, a sentence each.
    package var warnings: [String] { [liveNotice].compactMap { $0 } + services.warnings.all }

    /// Restores the changes of a search that died; returns the notice of that, or of a search that goes on.
    private static func recover(_ store: OverrideStore) -> String? {
        // A tested command runs with this variable.
        LiveSession.recover(store, isTested: ProcessEnvironment.variable("FLAGMENU_STORE") != nil)
    }

    /// Recovers the store again, in a run that lasts long: a search may have begun or ended.
    package mutating func recoverAgain() { liveNotice = Self.recover(store) }

    /// The store of overrides that the settings name.
    ///
    /// - Throws: an error if the project file lacks a permission for a file.
    package static func overrides(of settings: Settings) throws(CommandFailure) -> OverrideStore {
        try settings.requireTrust(isPrompting: false, sendsRequests: false)
        return store(of: settings) { ProcessEnvironment.userName }
    }

    private static func store(
        of settings: Settings, by author: @escaping @Sendable () -> String
    ) -> OverrideStore {
        OverrideStore(
            directory: settings.storeDirectory, author: author(), now: SourceClock.system.now,
            readOnlyReason: settings.readOnlyReason)
    }

    /// The values of `--defaults`, and the entries that were left out.
    static func defaults(
        of settings: Settings
    ) throws(CommandFailure) -> (values: ValueTable, issues: [DocumentIssue]) {
        guard let path = settings.defaults else { return (ValueTable(), []) }
        return try CommandFailure.converting(to: .usage) {
            try FileSource(path: path).readDefaults()
        } sentence: {
            "\($0.asSentence) Fix the defaults or name another file with --defaults."
        }
    }

    /// Reads which flags apps declare, and the files and cached values of the sources.
    package func openRemote(isFromCache: Bool = false) {
        flags.listDeclared(settings.apps.read().declared)
        flags.openRemote(isFromCache: isFromCache)
    }

    /// Requests the team's values and waits for the response, at most as long as a limit. Without a team, does nothing.
    package func fetchTeam(within limit: Duration? = nil) {
        if let engine = flags.teamEngine { Self.fetch(.all, isActivating: true, by: engine, limit) }
    }

    /// Requests sources and waits for their responses, at most as long as a limit.
    package func fetch(_ scope: FetchScope, within limit: Duration? = nil) {
        if scope != .nothing { Self.fetch(scope, isActivating: false, by: flags.remote, limit) }
    }

    private static func fetch(_ scope: FetchScope, isActivating: Bool, by engine: RemoteEngine, _ limit: Duration?) {
        let plan = engine.request(scope, isActivating: isActivating, id: engine.makeFetchID())
        // Most commands have all values already, and need no thread to wait.
        guard plan.isRequesting else { return _ = engine.save() }
        Waiting.value {
            let outcome = Task(executorPreference: OwnThreads.engine) { _ = await engine.outcome(of: plan) }
            if let limit { await outcome.value(within: limit) } else { await outcome.value }
        }
    }
}

// Errors of a command without remote values.
extension RunStore {
    /// The error that no source has values; `nil` if a source has values, or if there is no source.
    package func missingValues(in state: RemoteState) -> CommandFailure? {
        if state.sources.isEmpty || state.hasValues { return nil }
        let sentences = state.sources.compactMap { $0.reason(isWhole: true) }
        guard !sentences.isEmpty else {
            return CommandFailure(
                .remote, "Nothing was fetched yet\(contextOverrideWords(state)); flagmenu fetch fetches.")
        }
        return CommandFailure(
            state.sources.contains { $0.failure == .remote } ? .remote : .usage,
            "\(sentences.joined(separator: " ")) There are no cached values\(contextOverrideWords(state)); "
                + "fix the source or name another with --source.")
    }

    /// The explanation that values may be missing because of a context override, as part of a sentence.
    private func contextOverrideWords(_ state: RemoteState) -> String {
        state.evaluations.contains(where: \.isChanged)
            ? " for the context that you have chosen (flagmenu context --reset undoes it)" : ""
    }

    /// The error of a command whose context change failed.
    package func failure(of error: FlagStore.ContextChangeError) -> CommandFailure {
        switch error {
        case .source(let error): CommandFailure(.usage, "\(error.asSentence) Nothing was changed.")
        case .storage(let error): failure(of: error)
        }
    }

    /// The error of a command whose write failed.
    package func failure(of error: StorageError) -> CommandFailure {
        CommandFailure(error.code == .refused ? settings.configuration.readOnlyStatus : .store, error.description)
    }
}

extension RemoteState.Source {
    /// The exit code of a command that needs this source: `usage` if its settings are wrong or its file cannot be read,
    /// `remote` if its service failed; `nil` if the source was read.
    package var failure: ExitStatus? {
        guard let error else { return nil }
        if isLocal || isUnavailable { return .usage }
        return error.code == .rejected && error.status == nil && error.cause != .redirect ? .usage : .remote
    }
}
