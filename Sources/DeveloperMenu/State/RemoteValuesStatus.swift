public import FlagModel

/// The status of the remote values, for the title, the tab of sources and the explanation. Its properties are
/// independent of each other; ``condition`` summarizes them for the views.
public struct RemoteValuesStatus: Sendable, Equatable {
    /// The current work on remote values.
    enum Activity: Sendable, Equatable {
        /// The values are read for the first time.
        case opening
        /// No work.
        case idle
        /// The sources are being fetched, for the request with this id.
        case fetching(id: RequestID, progress: [Int: FetchProgress])
    }

    /// Whether the shown values are for the current evaluation context.
    enum ContextValues: Sendable, Equatable {
        /// They are for the current context.
        case current
        /// They are for the previous context. Services have not responded for the current context yet.
        case awaited
        /// They are for the previous context, because there are no values for the current context.
        case missing
    }

    /// The id of the menu's first fetch, which the menu starts by itself.
    public static let startupFetch: RequestID = 0

    var activity = Activity.opening
    /// When the values in use were read; `nil` if no values are in use.
    public internal(set) var fetchedAt: FlagTimestamp?
    /// The differences of fetched values that wait for activation; empty if only titles, options or conditions differ,
    /// `nil` if nothing waits.
    public internal(set) var waiting: [ValueDifference]?
    /// The fetch whose end the user waits for; `nil` after another key press.
    var watchedFetch: RequestID?
    /// The errors of sources that are not fixed yet, one sentence each.
    public internal(set) var errors: [String] = []
    /// The status of each source, in order of precedence; empty if it is not known.
    public internal(set) var sources: [SourceStatus] = []
    /// Why sources send no live updates, by each source's index.
    var liveUpdateErrors: [Int: String] = [:]
    /// Whether the shown values are for the current evaluation context.
    var contextValues = ContextValues.current
    /// The contexts and conditions of the sources, without pending changes.
    var savedEvaluations: [SourceEvaluation] = []
    /// The pending changes of contexts, the oldest first.
    var contextChanges: [PendingContextChange] = []
    /// The ids of pending activations.
    var activations: Set<RequestID> = []

    /// A pending change of a context.
    struct PendingContextChange: Sendable, Equatable {
        let id: RequestID
        let change: ContextChange
        /// The remote values when it was requested. The change may be in use before its result arrives.
        let values: ValueTable
    }

    /// Which values of all sources together are in use, without the reason of an error; `nil` while values are being
    /// read or fetched.
    public var condition: SourceStatus.Condition? {
        if activity != .idle { return nil }
        if let fetchedAt, errors.isEmpty, contextValues != .missing { return .read(at: fetchedAt) }
        return .failed(reason: "", cachedFrom: fetchedAt)
    }

    /// The progress of the running fetch; `nil` if no fetch is running.
    public var fetch: [Int: FetchProgress]? { if case .fetching(_, let progress) = activity { progress } else { nil } }

    /// Whether the running fetch is the menu's first fetch.
    var isStartupFetch: Bool { if case .fetching(Self.startupFetch, _) = activity { true } else { false } }

    /// Whether the shown values are for the previous context.
    var showsFormerContext: Bool { contextValues != .current && fetchedAt != nil }

    /// The errors that are not fixed yet, a sentence each.
    var issues: [String] {
        guard showsFormerContext, fetch == nil else { return errors }
        let contextIssue = "The values shown are for the previous context."
        guard let issue = errors.first else { return [contextIssue] }
        return ["\(contextIssue) \(issue)"] + errors.dropFirst()
    }

    /// The saved contexts and conditions with pending changes applied, so that a second quick key press builds on the
    /// first one.
    public var evaluations: [SourceEvaluation] {
        contextChanges.reduce(into: savedEvaluations) { evaluations, pending in
            guard let index = evaluations.firstIndex(where: { $0.source == pending.change.source }) else { return }
            evaluations[index] = evaluations[index].deciding(by: pending.change.edits)
        }
    }

    /// Whether a change of the values in use is pending.
    var isChanging: Bool { !activations.isEmpty || !contextChanges.isEmpty }

    // MARK: events

    mutating func startFetch(_ id: RequestID) { activity = .fetching(id: id, progress: [:]) }

    mutating func receive(_ progress: FetchProgress, of source: Int) {
        guard case .fetching(let id, var sources) = activity else { return }
        sources[source] = progress
        activity = .fetching(id: id, progress: sources)
    }

    /// Ends the fetch with an id, or the first reading. Does nothing if a newer fetch has replaced the fetch with this
    /// id.
    mutating func endFetch(_ id: RequestID) {
        switch activity {
        case .fetching(id, _), .opening: activity = .idle
        case .fetching, .idle: break
        }
    }

    /// Ends the first reading, even if it has no values.
    mutating func endOpening() { if activity == .opening { activity = .idle } }

    /// Ends the running fetch. The values in use stay in use.
    mutating func cancelFetch() {
        activity = .idle
        if contextValues == .awaited { contextValues = .missing }
    }

    mutating func endContextChange(_ id: RequestID) { contextChanges.removeAll { $0.id == id } }

    /// Stores the status of values that are in use now.
    ///
    /// - Parameter isResponse: whether sources have responded. A changed context waits for a response.
    mutating func use(_ content: RemoteContent, isResponse: Bool) {
        fetchedAt = content.fetchedAt
        waiting = content.waiting
        errors = content.errors
        savedEvaluations = content.evaluations
        if isResponse || contextValues == .missing { contextValues = .current }
    }

    /// Stores the differences of fetched values that wait for activation, and the errors of the fetch.
    mutating func receive(_ waiting: [ValueDifference]?, at moment: FlagTimestamp, errors: [String]) {
        // If no values wait, the values in use are as new as this fetch.
        if waiting == nil, errors.isEmpty { fetchedAt = moment }
        (self.waiting, self.errors) = (waiting, errors)
    }
}
