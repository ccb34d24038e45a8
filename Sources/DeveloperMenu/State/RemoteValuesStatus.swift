public import FlagModel

/// The status of the remote values for the title, the sheet of sources and the explanation. Each combination of its
/// parts can happen, and the views use ``phase``.
public struct RemoteValuesStatus: Sendable, Equatable {
    /// What happens with remote values.
    enum Activity: Sendable, Equatable {
        /// They are read for the first time.
        case opening
        /// Nothing.
        case idle
        /// They are being fetched, for the request with this id.
        case fetching(id: RequestID, FetchStatus)
    }

    /// The context of the shown values after a context override.
    enum ContextValues: Sendable, Equatable {
        /// Those for the current context.
        case current
        /// The previous ones, until services have responded.
        case awaited
        /// The previous ones, as there are none for the context.
        case missing
    }

    /// The status as the views show it.
    public enum Phase: Sendable, Equatable {
        /// Values are being read or fetched.
        case loading
        /// Values of this time are in use.
        case loaded(at: Timestamp)
        /// There is an error; cached values of `cachedFrom` are in use, if there are any.
        case failed(cachedFrom: Timestamp?)
    }

    /// The id of the menu's first fetch, which nobody requested.
    public static let startupFetch: RequestID = 0

    /// The current activity.
    var activity = Activity.opening
    /// When the values in use were read; `nil` if there are none.
    public internal(set) var fetchedAt: Timestamp?
    /// The fetched values that wait for activation; empty if only titles, options or conditions differ, `nil` if nothing waits.
    public internal(set) var waiting: [ValueDifference]?
    /// The fetch that the user waits for: no key was pressed since.
    var watchedFetch: RequestID?
    /// Errors of sources, a sentence each, shown until they are fixed.
    public internal(set) var errors: [String] = []
    /// The status of each source; empty if that is not known.
    public internal(set) var sources: [SourceStatus] = []
    /// Why sources send no live updates, by their indices.
    var liveUpdateErrors: [Int: String] = [:]
    /// The context of the shown values.
    var contextValues = ContextValues.current
    /// Contexts and conditions, without pending changes.
    var savedEvaluations: [SourceEvaluation] = []
    /// Pending changes of contexts, the oldest first.
    var contextChanges: [PendingContextChange] = []
    /// Pending activations.
    var activations: Set<RequestID> = []

    /// A pending change of a context.
    struct PendingContextChange: Sendable, Equatable {
        let id: RequestID
        let change: ContextChange
    }
}

extension RemoteValuesStatus {
    /// How many fetched values wait for activation; 0 if only titles, options or conditions differ, `nil` if nothing waits.
    public var waitingCount: Int? { waiting?.count }

    /// The remote values in one word.
    public var phase: Phase {
        if activity != .idle { return .loading }
        if !errors.isEmpty || contextValues == .missing { return .failed(cachedFrom: fetchedAt) }
        return fetchedAt.map { .loaded(at: $0) } ?? .failed(cachedFrom: nil)
    }

    /// The fetch under way; `nil` if there is none.
    public var fetch: FetchStatus? { if case .fetching(_, let status) = activity { status } else { nil } }

    /// Whether the fetch under way is the menu's first.
    var isStartupFetch: Bool { if case .fetching(Self.startupFetch, _) = activity { true } else { false } }

    /// Whether the shown values are those of the previous context.
    var showsFormerContext: Bool { contextValues != .current && fetchedAt != nil }

    /// Contexts and conditions with pending changes, so that two key presses make two steps.
    public var evaluations: [SourceEvaluation] {
        contextChanges.reduce(into: savedEvaluations) { evaluations, pending in
            guard let index = evaluations.firstIndex(where: { $0.source == pending.change.source }) else { return }
            evaluations[index] = evaluations[index].deciding(by: pending.change.edits)
        }
    }

    /// Whether a change of the values in use is pending.
    var isChanging: Bool { !activations.isEmpty || !contextChanges.isEmpty }

    // MARK: what happens

    mutating func startFetch(_ id: RequestID) { activity = .fetching(id: id, FetchStatus()) }

    mutating func take(_ progress: FetchProgress, of source: Int) {
        guard case .fetching(let id, var status) = activity else { return }
        status.take(progress, of: source)
        activity = .fetching(id: id, status)
    }

    /// Ends the fetch with an id, or the first reading. A fetch that was replaced by another one has ended before.
    mutating func endFetch(_ id: RequestID) {
        switch activity {
        case .fetching(id, _), .opening: activity = .idle
        case .fetching, .idle: break
        }
    }

    /// Ends the first reading, with or without values.
    mutating func endOpening() { if activity == .opening { activity = .idle } }

    /// Stops waiting for the sources. The values in use stay.
    mutating func cancelFetch() {
        activity = .idle
        if contextValues == .awaited { contextValues = .missing }
    }

    mutating func endContextChange(_ id: RequestID) { contextChanges.removeAll { $0.id == id } }

    /// Takes over values that are in use now.
    ///
    /// - Parameter isResponse: whether sources have responded, which a changed context waits for.
    mutating func use(_ content: RemoteContent, isResponse: Bool) {
        fetchedAt = content.fetchedAt
        waiting = content.waiting
        errors = content.errors
        savedEvaluations = content.evaluations
        if isResponse || contextValues == .missing { contextValues = .current }
    }

    /// Takes over fetched values that wait for activation.
    mutating func take(_ waiting: [ValueDifference]?, at moment: Timestamp, errors: [String]) {
        // While fetched values wait, the age of the values in use stays.
        if waiting == nil, errors.isEmpty { fetchedAt = moment }
        (self.waiting, self.errors) = (waiting, errors)
    }
}
