import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagSourceFile
import FlagStorage
import Flags

/// The store of a run: as its settings name it, opened by the library like the store of any app.
struct RunStore {
    let settings: Settings
    let flags: FlagStore
    /// The client for its services.
    let services: Services
    /// The store for overrides.
    let store: OverrideStore

    /// A store that has read nothing yet.
    ///
    /// - Parameters:
    ///   - patience: the time limits for services.
    ///   - isAsking: whether to prompt the user on a terminal to allow what the project file does with credentials.
    ///   - isCached: whether to use and store cached responses.
    /// - Throws: a sentence if that is not allowed, or the values compiled into the app cannot be read.
    init(
        _ settings: Settings, patience: Services.Patience = .standard, isAsking: Bool = true,
        isCached: Bool = true
    ) throws(CommandFailure) {
        try settings.requireTrust(isAsking: isAsking)
        self.settings = settings
        let services = Services(settings.environment, patience: patience)
        let cache = RemoteCache(folder: isCached ? settings.cacheDirectory : nil)
        let remote = RemoteEngine(
            sources: settings.isSample
                ? [SampleSource()] : settings.sources.map { ConfiguredSource($0, settings, services, cache) },
            cache: cache,
            contextFile: ContextFile(
                directory: settings.stateDirectory, now: SourceClock.system.now, refusal: settings.readOnlyRefusal),
            policy: RemotePolicy(activation: .manual, minimumInterval: .zero))
        store = Self.overrides(of: settings)
        flags = FlagStore(
            app: settings.app, access: .open, overrides: store, remote: remote,
            values: LayerValues([
                .launch: LayerContent(texts: settings.launch), .default: LayerContent(try Self.defaults(of: settings)),
            ]),
            listsDeclaredKeys: false)
        self.services = services
    }

    /// The overrides of the settings.
    static func overrides(of settings: Settings) -> OverrideStore {
        OverrideStore(
            directory: settings.storeDirectory, author: ProcessEnvironment.userName, now: SourceClock.system.now,
            refusal: settings.readOnlyRefusal)
    }

    private static func defaults(of settings: Settings) throws(CommandFailure) -> ValueTable {
        guard let path = settings.defaults else { return ValueTable() }
        do throws(SourceError) {
            return try FileSource(path: path).readDefaults()
        } catch {
            throw CommandFailure(.usage, "\(error.asSentence) Fix the defaults or name another file with --defaults.")
        }
    }

    /// The sources together, as in a title.
    var sourceTitle: String {
        settings.isSample ? "built-in sample" : TerminalMenu.title(of: settings.sources.map(\.title))
    }

    /// Requests sources and waits for their responses.
    func fetch(_ scope: FetchScope) {
        guard scope != .nothing else { return }
        let remote = flags.remote
        let plan = remote.request(scope, id: remote.makeFetchID())
        // Most commands have all values by now, and need no thread to wait.
        guard plan.isRequesting else { return _ = remote.save() }
        _ = Waiting.answer { await remote.outcome(of: plan) }
    }
}

// Errors of a command without remote values.
extension RunStore {
    /// Requires that any source has values.
    ///
    /// - Throws: a sentence with the reasons if none has.
    func requireValues(in state: RemoteState) throws(CommandFailure) {
        if state.sources.isEmpty || state.hasValues { return }
        let sentences = state.sources.compactMap { $0.reason(isWhole: true) }
        guard !sentences.isEmpty else {
            throw CommandFailure(
                .remote, "Nothing was fetched yet\(ownContextWords(state)); flagmenu fetch fetches.")
        }
        throw CommandFailure(
            state.sources.contains { $0.failure == .remote } ? .remote : .usage,
            "\(sentences.joined(separator: " ")) There are no cached values\(ownContextWords(state)); "
                + "fix the source or name another with --source.")
    }

    /// Why there may be none although there were some.
    private func ownContextWords(_ state: RemoteState) -> String {
        state.evaluations.contains(where: \.isChanged)
            ? " for the context that you have chosen (flagmenu context --reset undoes it)" : ""
    }

    /// Why a context override failed.
    func failure(of error: RemoteEngine.ContextChangeError) -> CommandFailure {
        switch error {
        case .source(let error): CommandFailure(.usage, "\(error.asSentence) Nothing was changed.")
        case .storage(let error):
            CommandFailure(error.code == .refused ? settings.refusalStatus : .store, error.description)
        }
    }
}

extension RemoteState.Source {
    /// The exit code of a command that needs this source: wrong settings if it could not even be requested, else an
    /// unreachable source; `nil` if it was read.
    var failure: ExitStatus? {
        guard let error else { return nil }
        if isLocal || isUnavailable { return .usage }
        return error.code == .rejected && error.status == nil && error.cause != .redirect ? .usage : .remote
    }
}
