#if Server
import FlagModel
import FlagPresence
import FlagQueries
import FlagStorage
import Flags
import Synchronization

/// The flags that a server serves, always those of the store: the shared ones, and those of clients with overrides of
/// their own.
final class ServedFlags: Sendable {
    private struct State {
        /// The shared flags.
        var shared: FlagEvaluations
        /// What the shared flags were made from.
        var contents: StoreContents

        init(_ store: FlagStore, _ sets: ClientSets, revision: Int) {
            contents = store.contents
            var board = FlagBoard(contents.menuLayers)
            board.replaceSnapshot(contents.remote.snapshot)
            board.replaceOverrides(contents.values.overrides)
            board.today = store.now().date
            shared = FlagEvaluations(
                board, revision: revision, sources: ServedSource.all(in: contents.remote.sources), clientKeys: sets.keys
            )
        }

        /// Whether nothing has changed since another state, except for clients' sets, and remote values for contexts.
        func hasSame(as other: State) -> Bool {
            let (remote, file, board) = (contents.remote, contents.overrideFile, shared.board)
            let (otherRemote, otherFile) = (other.contents.remote, other.contents.overrideFile)
            return remote.sources.activations == otherRemote.sources.activations
                // The age of the team's values changes without a change of the flags.
                && contents.team.error == other.contents.team.error && file?.issue == otherFile?.issue
                && file?.areOverridesKnown == otherFile?.areOverridesKnown && shared.sources == other.shared.sources
                && file?.table.scenario == otherFile?.table.scenario
                // Boards compare the number of their snapshots, and each state has a snapshot of its own.
                && board == other.shared.board
                // Values that the app sets itself are no activation.
                && board.values.remote == other.shared.board.values.remote
                && remote.snapshot.declared == otherRemote.snapshot.declared
        }
    }

    let store: FlagStore
    /// Returns why overrides cannot be changed, as a sentence; `nil` if they can.
    let readOnlyReason: @Sendable () -> String?
    /// Returns which flags are secret, besides those that the catalog marks. Only apps get their values.
    let secrets: @Sendable () -> SecretFlags
    /// Where scenarios are; `nil` if overrides are not saved.
    let scenarios: ScenarioFolders?
    /// The folder in which the server announces its clients; `nil` if it does not.
    let presenceFolder: String?
    /// See ``ServerLimits/streamPause``.
    let pause: Int
    /// Different for each start of the server, so that the reader of an event stream notices a restart.
    let instance = AccessToken().text.prefix(8)
    /// The overrides of clients.
    let sets: ClientSets
    /// Wakes the event streams after each change.
    let changes: ServedChanges
    /// What the clients got.
    let log = ClientLog()
    private let contexts: EvaluationContexts
    private let state: Mutex<State>
    private let observation = Mutex<FlagObservation?>(nil)
    /// Follows the running apps, which declare flags; `nil` if the store is the one of this app, which lists what its
    /// own code declares.
    private let follower: AppsFollower?

    /// Follows a store that was opened.
    ///
    /// - Parameters:
    ///   - presenceFolders: the folders in which running apps announce themselves.
    ///   - scenarios: the folders of scenarios; by default, the one beside the overrides.
    init(
        _ store: FlagStore, _ limits: ServerLimits, presenceFolders: [String], scenarios: ScenarioFolders?,
        secrets: @escaping @Sendable () -> SecretFlags = { SecretFlags() },
        readOnlyReason: @escaping @Sendable () -> String?
    ) {
        (self.store, self.readOnlyReason, self.secrets) = (store, readOnlyReason, secrets)
        (presenceFolder, pause) = (presenceFolders.first, limits.streamPause)
        let folder = store.overridePath.map(FilePath.folder)
        self.scenarios = scenarios ?? folder.map { ScenarioFolders(project: nil, state: $0) }
        sets = ClientSets(below: folder, limit: limits.clientSets, now: store.now)
        changes = ServedChanges(limit: limits.eventStreams)
        contexts = EvaluationContexts(store.remote)
        let isOfApp = presenceFolders.isEmpty || store.presenceFolder != nil
        follower = isOfApp ? nil : AppsFollower(RunningApps(in: presenceFolders)) { store.listDeclared($0.declared) }
        state = .init(State(store, sets, revision: 0))
        let observation = store.observe { [weak self] change in
            guard let self, !change.isProgress else { return }
            if case .sources(let remote) = change.cause, case .responded(let place) = remote.cause {
                update(isOther: contexts.expire(after: remote.state.sources[place]))
            } else {
                update()
            }
        }
        self.observation.withLock { $0 = observation }
        sets.observe { [weak self] in self?.update(isOther: true) }
        contexts.observe { [weak self] in self?.update(isOther: true) }
        follower?.start()
        update()
    }

    /// The JSON of a response of the management API without the values of secret flags.
    func hidingSecrets(_ json: JSONOutput, in call: Call) -> JSONOutput {
        let (secrets, catalog) = (secrets(), shared.board.catalog)
        guard !secrets.areNone(in: catalog) else { return json }
        let isOfSecret = !call.key.isEmpty && secrets.contains(call.key, in: catalog)
        return json.hidingValues(isOfSecret: isOfSecret) { secrets.contains($0, in: catalog) }
    }

    /// The shared flags, which have the number of changes so far.
    var shared: FlagEvaluations { state.withLock { $0.shared } }

    /// The current flags of a client, with the remote values of the project's context.
    ///
    /// - Parameter client: the client's id; `nil` for the shared flags.
    func evaluations(for client: String?) -> FlagEvaluations {
        shared.evaluations(overriding: client.flatMap(sets.overrides) ?? [:], nil)
    }

    /// The current flags of a client, with the remote values for its evaluation context. A request without a context gets
    /// those of the project's.
    ///
    /// - Throws: why the flags cannot be evaluated for the context.
    func evaluations(for client: String?, in context: OFREPContext) async throws(APIError) -> FlagEvaluations {
        // Read before the remote values: if these change meanwhile, they are not remembered for the next revision.
        let shared = shared
        let dependsOnContext = !context.isEmpty && shared.sources.contains(where: \.dependsOnContext)
        let values = dependsOnContext ? try await contexts.values(for: context) : nil
        return shared.evaluations(overriding: client.flatMap(sets.overrides) ?? [:], values)
    }

    /// Reads all flags again, and wakes the event streams after a change.
    ///
    /// - Parameter isOther: whether overrides of a client, or remote values for a context, have changed.
    func update(isOther: Bool = false) {
        // Code declares flags when it first uses them.
        if follower == nil { store.listDeclared(.ofThisProcess()) }
        // Read with the lock, so that an older reading cannot replace a newer one.
        let hasChanged = state.withLock { state in
            let new = State(store, sets, revision: state.shared.revision + 1)
            guard isOther || !new.hasSame(as: state) else { return false }
            state = new
            return true
        }
        if hasChanged { changes.wakeAll() }
    }
}
#endif
