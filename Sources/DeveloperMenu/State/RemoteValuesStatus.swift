public import FlagModel

/// How the remote values are doing: all that the title, the sheet of sources and the explanation say of them. Each combination of its
/// parts can happen, and the views ask for ``phase``.
public struct RemoteValuesStatus: Sendable, Equatable {
    /// What is being done about remote values.
    enum Activity: Sendable, Equatable {
        /// They are read for the first time.
        case opening
        /// Nothing.
        case idle
        /// They are being fetched, for the request with this id.
        case fetching(id: RequestID, FetchStatus)
    }

    /// Whose values are shown after a context override.
    enum ContextValues: Sendable, Equatable {
        /// Those for the context.
        case current
        /// Those before, until services have responded.
        case awaited
        /// Those before, as there are none for the context.
        case missing
    }

    /// What the views show of all this.
    public enum Phase: Sendable, Equatable {
        /// Values are being read or fetched.
        case loading
        /// Values of this time are in use.
        case loaded(at: Timestamp)
        /// Something is wrong; cached values of `cachedFrom` are in use, if there are any.
        case failed(cachedFrom: Timestamp?)
    }

    /// The id of the fetch that the menu begins with, without anybody's request.
    public static let startupFetch: RequestID = 0

    /// What is being done.
    var activity = Activity.opening
    /// When the values in use were read; `nil` if there are none.
    public internal(set) var fetchedAt: Timestamp?
    /// The fetched values that wait for activation; empty if only titles, options or conditions differ, `nil` if nothing waits.
    public internal(set) var waiting: [ValueDifference]?
    /// The fetch that the user waits for: no key was pressed since.
    var watchedFetch: RequestID?
    /// What is wrong with sources, a sentence each, kept on the screen until it is fixed.
    public internal(set) var errors: [String] = []
    /// How each source is doing; empty if that is not known.
    public internal(set) var sources: [SourceStatus] = []
    /// Why sources send no live updates, by their places.
    var liveUpdateErrors: [Int: String] = [:]
    /// Whose values are shown.
    var contextValues = ContextValues.current
    /// Contexts and conditions, without the changes that are on their way to the disk.
    var savedEvaluations: [SourceEvaluation] = []
    /// Changes of contexts that have been requested and not been answered, the oldest first.
    var contextChanges: [PendingContextChange] = []
    /// Activations that have been requested and not been answered.
    var activations: Set<RequestID> = []

    /// A change of a context that is on its way to the disk.
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

    /// The fetch that is under way; `nil` if there is none.
    public var fetch: FetchStatus? { if case .fetching(_, let status) = activity { status } else { nil } }

    /// Whether the fetch that is under way is the one that the menu begins with.
    var isStartupFetch: Bool { if case .fetching(Self.startupFetch, _) = activity { true } else { false } }

    /// Whether the values on the screen are those for the context before.
    var showsFormerContext: Bool { contextValues != .current && fetchedAt != nil }

    /// Contexts and conditions with the changes on their way, so that pressing twice steps twice.
    public var evaluations: [SourceEvaluation] {
        contextChanges.reduce(into: savedEvaluations) { evaluations, pending in
            guard let index = evaluations.firstIndex(where: { $0.source == pending.change.source }) else { return }
            evaluations[index] = evaluations[index].deciding(by: pending.change.edits)
        }
    }

    /// Whether something has been requested that changes what is in use, and not been answered.
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

    /// Ends the first reading: there are values, or there are none.
    mutating func endOpening() { if activity == .opening { activity = .idle } }

    /// Waits for the sources no more. The values in use stay.
    mutating func cancelFetch() {
        activity = .idle
        if contextValues == .awaited { contextValues = .missing }
    }

    mutating func endContextChange(_ id: RequestID) { contextChanges.removeAll { $0.id == id } }

    /// Takes over values that are in use now.
    ///
    /// - Parameter isResponse: whether sources have responded, which is what a changed context waits for.
    mutating func use(_ content: RemoteContent, isResponse: Bool) {
        fetchedAt = content.fetchedAt
        waiting = content.waiting
        errors = content.errors
        savedEvaluations = content.evaluations
        if isResponse || contextValues == .missing { contextValues = .current }
    }

    /// Takes over what was fetched and waits for activation.
    mutating func take(_ waiting: [ValueDifference]?, at moment: Timestamp, errors: [String]) {
        // While fetched values wait, the values in use are as old as before.
        if waiting == nil, errors.isEmpty { fetchedAt = moment }
        (self.waiting, self.errors) = (waiting, errors)
    }
}
