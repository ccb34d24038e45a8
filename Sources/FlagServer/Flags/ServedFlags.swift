#if Server
import FlagModel
import FlagPresence
import FlagRemote
import FlagStorage
import Flags
import Platform
import Synchronization

/// The flags that a server serves, always those of the store: the shared ones, and those of clients with overrides of
/// their own.
final class ServedFlags: Sendable {
    /// Everything that a response may depend on, at one moment.
    struct Moment: Sendable {
        let shared: FlagEvaluations
        /// The number of changes so far.
        var revision: Int { shared.revision }
        /// The number of changes of the remote values.
        let activations: Int
        /// The number of changes of clients' sets, and of the remote values for contexts.
        let otherChanges: Int
        /// The error of the team. The age of its values changes without a change of the flags.
        let teamError: SourceError?
        /// Why the overrides cannot be read, as a sentence; `nil` if they can be.
        let storeIssue: String?
        let areOverridesKnown: Bool

        /// Whether nothing has changed since another moment.
        func hasSame(as other: Moment) -> Bool {
            activations == other.activations && otherChanges == other.otherChanges && teamError == other.teamError
                && storeIssue == other.storeIssue && areOverridesKnown == other.areOverridesKnown
                && shared.sources == other.shared.sources
                // Boards compare the number of their snapshots, and each moment has a snapshot of its own.
                && shared.board == other.shared.board
                // Values that the app sets itself are no activation.
                && shared.board.values.remote == other.shared.board.values.remote
                && shared.board.snapshot.declared == other.shared.board.snapshot.declared
        }
    }

    /// What the evaluations for a request depend on.
    private struct Requester: Hashable {
        /// The client, if it has overrides of its own.
        let client: FlagText?
        /// The context, if remote values depend on it.
        let context: OFREPContext?
    }

    /// Evaluations other than the shared ones, with what else they were made from.
    private struct Other {
        let evaluations: FlagEvaluations
        let overrides: FlagTable<FlagOverride>
        let contextVersion: Int?
    }

    private struct State {
        var moment: Moment
        /// The evaluations at this moment other than the shared ones, made when they are first needed.
        var others: [Requester: Other] = [:]
    }

    /// Where the changes are announced.
    let changes: ServedChanges
    private let flags: FlagStore
    private let sets: ClientSets
    private let contexts: EvaluationContexts
    private let state: Mutex<State>
    /// Locked while the flags are read, so that an older reading cannot replace a newer one.
    private let reading = Mutex<Void>(())
    /// The number of changes of clients' sets and of contexts.
    private let otherChanges = Mutex(0)
    /// Whether the store is the one of this app, which lists what its own code declares.
    private let isOfApp: Bool
    /// What ends with the last reference: following the running apps, and the observation of the store.
    private let background = Mutex<(follower: AppsFollower?, observation: FlagObservation?)>((nil, nil))

    /// Follows a store that was opened.
    ///
    /// - Parameters:
    ///   - apps: the running apps.
    ///   - isOfApp: whether the store is the one of this app.
    init(
        _ flags: FlagStore, sets: ClientSets, changes: ServedChanges, apps: RunningApps, isOfApp: Bool = false
    ) {
        self.isOfApp = isOfApp
        (self.flags, self.sets, self.changes) = (flags, sets, changes)
        contexts = EvaluationContexts(flags.remote)
        state = Mutex(State(moment: Self.read(flags, sets, revision: 0, otherChanges: 0)))
        let observation = flags.observe { [weak self] change in
            if !change.isProgress { self?.update() }
        }
        sets.observe { [weak self] in self?.updateOthers() }
        contexts.observe { [weak self] in self?.updateOthers() }
        let follower = isOfApp ? nil : AppsFollower(apps) { [flags] in flags.listDeclared($0.declared) }
        background.withLock { $0 = (follower, observation) }
        follower?.start()
        update()
    }

    /// The current flags.
    var moment: Moment { state.withLock { $0.moment } }

    /// How many evaluations other than the shared ones are remembered.
    private static let limit = 200
    /// How many flags these evaluations have in total. Each may take a kilobyte, in the responses that have it.
    private static let flagLimit = 200_000

    /// Whether a client has overrides that others do not have.
    func hasOwnOverrides(_ client: String?) -> Bool { client.flatMap(sets.overrides)?.isEmpty == false }

    /// The current flags of a client, with the remote values of the project's context.
    ///
    /// - Parameter client: the client's id; `nil` for the shared flags.
    func evaluations(for client: String?) -> FlagEvaluations { evaluations(for: client, in: nil, nil, at: moment) }

    /// The current flags of a client, with the remote values for its evaluation context.
    ///
    /// - Throws: why the flags cannot be evaluated for the context.
    func evaluations(for client: String?, in context: OFREPContext) async throws(OFREPFailure) -> FlagEvaluations {
        // Read before the remote values: if these change meanwhile, they are not stored for the next moment.
        let moment = moment
        guard moment.shared.sources.contains(where: \.dependsOnContext) else { return evaluations(for: client) }
        let values = try await contexts.values(for: context)
        return evaluations(for: client, in: context, values, at: moment)
    }

    /// - Parameter values: the remote values for the context; `nil` for those of the project's context.
    private func evaluations(
        for client: String?, in context: OFREPContext?, _ values: EvaluationContexts.Values?, at moment: Moment
    ) -> FlagEvaluations {
        let overrides = client.flatMap(sets.overrides) ?? [:]
        if overrides.isEmpty, context == nil { return moment.shared }
        let requester = Requester(client: overrides.isEmpty ? nil : client.map { FlagText($0) }, context: context)
        let existing = state.withLock { $0.moment.revision == moment.revision ? $0.others[requester] : nil }
        if let existing, existing.overrides == overrides, existing.contextVersion == values?.version {
            return existing.evaluations
        }
        var board = moment.shared.board
        if let values {
            board.replaceSnapshot(
                values.remote.snapshot(defaults: board.values.defaults, declared: board.snapshot.declared))
        }
        // The client's overrides win over the shared ones.
        board.replaceOverrides(board.values.overrides.merging(overrides) { _, own in own })
        let evaluations = FlagEvaluations(
            board, revision: moment.revision,
            sources: values?.sources ?? moment.shared.sources,
            clientKeys: moment.shared.clientKeys)
        state.withLock { state in
            guard state.moment.revision == moment.revision else { return }
            let limit = min(Self.limit, max(1, Self.flagLimit / max(1, board.catalog.items.count)))
            if state.others.count >= limit { state.others = [:] }
            state.others[requester] = Other(
                evaluations: evaluations, overrides: overrides, contextVersion: values?.version)
        }
        return evaluations
    }

    /// Announces a change of the overrides of a client, or of the remote values for a context.
    private func updateOthers() {
        otherChanges.withLock { $0 += 1 }
        update()
    }

    /// Reads all flags again, and announces the change.
    func update() {
        // Code declares flags when it first uses them.
        if isOfApp { flags.listDeclared(.ofThisProcess()) }
        let revision = reading.withLock { _ -> Int? in
            let revision = state.withLock { $0.moment.revision } + 1
            let moment = Self.read(flags, sets, revision: revision, otherChanges: otherChanges.withLock { $0 })
            guard !moment.hasSame(as: self.moment) else { return nil }
            // Released outside the lock: the evaluations of 100,000 flags take a while.
            let old = state.withLock { state in
                let old = state
                state = State(moment: moment)
                return old
            }
            withExtendedLifetime(old) {}
            return revision
        }
        if let revision { changes.announce { $0.revision = max($0.revision, revision) } }
    }

    /// - Parameter otherChanges: the number of changes of clients' sets and of contexts.
    private static func read(_ flags: FlagStore, _ sets: ClientSets, revision: Int, otherChanges: Int) -> Moment {
        let contents = flags.contents
        let (remote, file) = (contents.remote, contents.overrideFile)
        var board = FlagBoard(contents.menuLayers)
        board.replaceSnapshot(remote.snapshot)
        board.replaceOverrides(contents.values.overrides)
        board.today = flags.now().date
        return Moment(
            shared: FlagEvaluations(
                board, revision: revision, sources: ServedSource.all(in: remote.sources), clientKeys: sets.keys),
            activations: remote.sources.activations, otherChanges: otherChanges, teamError: contents.team.error,
            storeIssue: file?.issue, areOverridesKnown: file?.areOverridesKnown ?? true)
    }
}
#endif
