#if Server
import FlagModel
import FlagPresence
import Flags
import Synchronization

/// The flags that a server serves, always those of the store: the shared ones, and those of clients with overrides of
/// their own.
final class ServedFlags: Sendable {
    /// Everything that a response may depend on, at one moment.
    struct Moment: Sendable {
        let shared: FlagEvaluations
        /// What the shared flags were made from.
        let contents: StoreContents
        /// The number of changes so far.
        var revision: Int { shared.revision }

        /// Whether nothing has changed since another moment, except for clients' sets, and remote values for contexts.
        func hasSame(as other: Moment) -> Bool {
            let (remote, file) = (contents.remote, contents.overrideFile)
            let (otherRemote, otherFile) = (other.contents.remote, other.contents.overrideFile)
            return remote.sources.activations == otherRemote.sources.activations
                // The age of the team's values changes without a change of the flags.
                && contents.team.error == other.contents.team.error && file?.issue == otherFile?.issue
                && file?.areOverridesKnown == otherFile?.areOverridesKnown && shared.sources == other.shared.sources
                // Boards compare the number of their snapshots, and each moment has a snapshot of its own.
                && shared.board == other.shared.board
                // Values that the app sets itself are no activation.
                && shared.board.values.remote == other.shared.board.values.remote
                && remote.snapshot.declared == otherRemote.snapshot.declared
        }
    }

    /// What the evaluations for a request depend on, besides the moment.
    private struct Requester: Hashable {
        /// The client's own overrides.
        let overrides: FlagTable<FlagOverride>
        /// That of the remote values, if they depend on the context.
        let version: Int?
    }

    private struct State {
        var moment: Moment
        /// The evaluations at this moment other than the shared ones, made when they are first needed.
        var others: [Requester: FlagEvaluations] = [:]
        var observation: FlagObservation?
    }

    /// Where the changes are announced.
    let changes: ServedChanges
    private let flags: FlagStore
    private let sets: ClientSets
    private let contexts: EvaluationContexts
    private let state: Mutex<State>
    /// Locked while the flags are read, so that an older reading cannot replace a newer one.
    private let reading = Mutex<Void>(())
    /// Follows the running apps, which declare flags; `nil` if the store is the one of this app, which lists what its
    /// own code declares.
    private let follower: AppsFollower?

    /// Follows a store that was opened.
    ///
    /// - Parameters:
    ///   - apps: the running apps.
    ///   - isOfApp: whether the store is the one of this app.
    init(
        _ flags: FlagStore, sets: ClientSets, changes: ServedChanges, apps: RunningApps, isOfApp: Bool = false
    ) {
        (self.flags, self.sets, self.changes) = (flags, sets, changes)
        contexts = EvaluationContexts(flags.remote)
        follower = isOfApp ? nil : AppsFollower(apps) { flags.listDeclared($0.declared) }
        state = .init(State(moment: Self.read(flags, sets, revision: 0)))
        let observation = flags.observe { [weak self] change in
            guard let self, !change.isProgress else { return }
            if case .sources(let remote) = change.cause, case .responded(let place) = remote.cause {
                update(isOther: contexts.expire(after: remote.state.sources[place]))
            } else {
                update()
            }
        }
        state.withLock { $0.observation = observation }
        sets.observe { [weak self] in self?.update(isOther: true) }
        follower?.start()
        update()
    }

    var moment: Moment { state.withLock { $0.moment } }

    /// How many evaluations other than the shared ones are remembered.
    private static let limit = 200
    /// How many flags these evaluations have in total. Each may take a kilobyte, in the responses that have it.
    private static let flagLimit = 200_000

    /// The current flags of a client, with the remote values of the project's context.
    ///
    /// - Parameter client: the client's id; `nil` for the shared flags.
    func evaluations(for client: String?) -> FlagEvaluations { evaluations(for: client, nil, at: moment) }

    /// The current flags of a client, with the remote values for its evaluation context. A request without a context gets
    /// those of the project's.
    ///
    /// - Throws: why the flags cannot be evaluated for the context.
    func evaluations(for client: String?, in context: OFREPContext) async throws(APIError) -> FlagEvaluations {
        // Read before the remote values: if these change meanwhile, they are not stored for the next moment.
        let moment = moment
        guard !context.isEmpty, moment.shared.sources.contains(where: \.dependsOnContext) else {
            return evaluations(for: client)
        }
        return evaluations(for: client, try await contexts.values(for: context), at: moment)
    }

    /// - Parameter values: the remote values for the context; `nil` for those of the project's context.
    private func evaluations(
        for client: String?, _ values: EvaluationContexts.Values?, at moment: Moment
    ) -> FlagEvaluations {
        let overrides = client.flatMap(sets.overrides) ?? [:]
        if overrides.isEmpty, values == nil { return moment.shared }
        let requester = Requester(overrides: overrides, version: values?.version)
        let existing = state.withLock { $0.moment.revision == moment.revision ? $0.others[requester] : nil }
        if let existing { return existing }
        var board = moment.shared.board
        if let values {
            board.replaceSnapshot(
                values.remote.snapshot(defaults: board.values.defaults, declared: board.snapshot.declared))
        }
        // The client's overrides win over the shared ones.
        board.replaceOverrides(board.values.overrides.merging(overrides) { _, own in own })
        let evaluations = FlagEvaluations(
            board, revision: moment.revision, sources: values?.sources ?? moment.shared.sources,
            clientKeys: moment.shared.clientKeys)
        state.withLock { state in
            guard state.moment.revision == moment.revision else { return }
            let limit = min(Self.limit, max(1, Self.flagLimit / max(1, board.catalog.items.count)))
            if state.others.count >= limit { state.others = [:] }
            state.others[requester] = evaluations
        }
        return evaluations
    }

    /// Reads all flags again, and announces a change.
    ///
    /// - Parameter isOther: whether overrides of a client, or remote values for a context, have changed.
    func update(isOther: Bool = false) {
        // Code declares flags when it first uses them.
        if follower == nil { flags.listDeclared(.ofThisProcess()) }
        let revision = reading.withLock { _ -> Int? in
            let old = moment
            let moment = Self.read(flags, sets, revision: old.revision + 1)
            guard isOther || !moment.hasSame(as: old) else { return nil }
            state.withLock { ($0.moment, $0.others) = (moment, [:]) }
            return moment.revision
        }
        if let revision { changes.announce { $0.revision = max($0.revision, revision) } }
    }

    private static func read(_ flags: FlagStore, _ sets: ClientSets, revision: Int) -> Moment {
        let contents = flags.contents
        var board = FlagBoard(contents.menuLayers)
        board.replaceSnapshot(contents.remote.snapshot)
        board.replaceOverrides(contents.values.overrides)
        board.today = flags.now().date
        let sources = ServedSource.all(in: contents.remote.sources)
        return Moment(
            shared: FlagEvaluations(board, revision: revision, sources: sources, clientKeys: sets.keys),
            contents: contents)
    }
}
#endif
