#if Server
import FlagModel
import FlagPresence
import Flags
import Synchronization

/// The flags that a server serves, always those of the store: the shared ones, and those of clients with overrides of
/// their own.
final class ServedFlags: Sendable {
    /// What the evaluations for a request depend on, besides the shared ones.
    private struct Requester: Hashable {
        /// The client's own overrides.
        let overrides: FlagTable<FlagOverride>
        /// That of the remote values, if they depend on the context.
        let version: Int?
    }

    private struct State {
        /// The shared flags.
        var shared: FlagEvaluations
        /// What the shared flags were made from.
        var contents: StoreContents
        /// The other evaluations of this revision, made when they are first needed.
        var others: [Requester: FlagEvaluations] = [:]

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
                // Boards compare the number of their snapshots, and each state has a snapshot of its own.
                && board == other.shared.board
                // Values that the app sets itself are no activation.
                && board.values.remote == other.shared.board.values.remote
                && remote.snapshot.declared == otherRemote.snapshot.declared
        }
    }

    let store: FlagStore
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
    /// - Parameter presenceFolders: the folders in which running apps announce themselves.
    init(_ store: FlagStore, _ limits: ServerLimits, presenceFolders: [String]) {
        self.store = store
        sets = ClientSets(below: store.overridePath.map(FilePath.folder), limit: limits.clientSets, now: store.now)
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
        follower?.start()
        update()
    }

    /// The shared flags, which have the number of changes so far.
    var shared: FlagEvaluations { state.withLock { $0.shared } }

    /// How many evaluations other than the shared ones are remembered.
    private static let limit = 200
    /// How many flags these evaluations have in total. Each may take a kilobyte, in the responses that have it.
    private static let flagLimit = 200_000

    /// The current flags of a client, with the remote values for its evaluation context. A request without a context gets
    /// those of the project's.
    ///
    /// - Throws: why the flags cannot be evaluated for the context.
    func evaluations(for client: String?, in context: OFREPContext) async throws(APIError) -> FlagEvaluations {
        // Read before the remote values: if these change meanwhile, they are not stored for the next revision.
        let shared = shared
        guard !context.isEmpty, shared.sources.contains(where: \.dependsOnContext) else {
            return evaluations(for: client)
        }
        return evaluations(for: client, try await contexts.values(for: context), basedOn: shared)
    }

    /// The current flags of a client.
    ///
    /// - Parameters:
    ///   - client: the client's id; `nil` for the shared flags.
    ///   - values: the remote values for its evaluation context; `nil` for those of the project's context.
    ///   - base: the shared flags; by default the current ones.
    func evaluations(
        for client: String?, _ values: EvaluationContexts.Values? = nil, basedOn base: FlagEvaluations? = nil
    ) -> FlagEvaluations {
        let shared = base ?? shared
        let overrides = client.flatMap(sets.overrides) ?? [:]
        if overrides.isEmpty, values == nil { return shared }
        let requester = Requester(overrides: overrides, version: values?.version)
        let existing = state.withLock { $0.shared === shared ? $0.others[requester] : nil }
        if let existing { return existing }
        var board = shared.board
        if let values {
            board.replaceSnapshot(
                values.remote.snapshot(defaults: board.values.defaults, declared: board.snapshot.declared))
        }
        // The client's overrides win over the shared ones.
        board.replaceOverrides(board.values.overrides.merging(overrides) { _, own in own })
        let evaluations = FlagEvaluations(
            board, revision: shared.revision, sources: values?.sources ?? shared.sources,
            clientKeys: shared.clientKeys)
        state.withLock { state in
            guard state.shared === shared else { return }
            let limit = min(Self.limit, max(1, Self.flagLimit / max(1, board.catalog.items.count)))
            if state.others.count >= limit { state.others = [:] }
            state.others[requester] = evaluations
        }
        return evaluations
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
