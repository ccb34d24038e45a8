import FlagModel
import FlagRemote
import FlagStorage

/// The mutable state of a store, under one lock. No code of the app runs under the lock, as it may read flags.
struct StoreState {
    var contents: StoreContents
    /// Incremented with each change of values.
    var generation = 0
    /// The flags that were read.
    var readFlags = ReadFlags()
    /// What the code has read, for the announcement of the app.
    var reads = FlagReads()
    var feeds: [UInt64: ChangeFeed] = [:]
    /// Subscriptions to every change of a layer, even if no effective value changes.
    var layerFeeds: [UInt64: LayerFeed] = [:]
    var lastFeed: UInt64 = 0
    /// The last published status.
    var remoteStatus = RemoteStatus.idle
    var statusFeeds: [UInt64: AsyncStream<RemoteStatus>.Continuation] = [:]
    /// Subscriptions to every update of the sources.
    var remoteObservers: [UInt64: @Sendable (RemoteUpdate) -> Void] = [:]
    /// Subscriptions to every update of the team's values.
    var teamObservers: [UInt64: @Sendable (TeamReading) -> Void] = [:]
    /// Subscriptions to every reading of the override file.
    var storeObservers: [UInt64: @Sendable (StoreReading) -> Void] = [:]
    /// Subscriptions to the details of each read.
    var evaluationHandlers: [UInt64: @Sendable (EvaluationDetails<String?>) -> Void] = [:]
    var overrideFeeds: [UInt64: AsyncStream<FlagTable<FlagOverride>>.Continuation] = [:]
    /// Invalid texts that were logged.
    var reported: Set<RejectedValue> = []
    /// Why changes of other processes are not watched; `nil` if they are.
    var watchIssue: String?

    init(_ contents: StoreContents) {
        self.contents = contents
        remoteStatus = contents.remoteStatus
    }

    /// If there are more reported texts than this, texts that no layer has any more are dropped: a service may send a
    /// different invalid text each time.
    private static let reportedLimit = 256

    /// Marks invalid texts as reported, and returns those that were not reported before.
    mutating func markReported(_ refused: [RejectedValue]) -> [RejectedValue] {
        let newTexts = refused.filter { reported.insert($0).inserted }
        if reported.count > Self.reportedLimit {
            reported = reported.filter { contents.values.text(of: $0.key, in: $0.layer) == $0.text }
        }
        return newTexts
    }

    /// Publishes the status of the remote values if it has changed.
    mutating func notifyStatus() {
        guard remoteStatus != contents.remoteStatus else { return }
        remoteStatus = contents.remoteStatus
        for feed in statusFeeds.values { feed.yield(remoteStatus) }
    }

    /// Publishes the active overrides.
    func notifyOverrides() {
        for feed in overrideFeeds.values { feed.yield(contents.values.overrides) }
    }
}

/// The contents that readers see. A change replaces them as a whole.
struct StoreContents: Sendable {
    var values: LayerValues
    /// The revision of the overrides in use; `nil` without an override file.
    var overrideRevision: Int?
    /// The error of the override file; `nil` if there is none.
    var storeIssue: String?
    /// The active remote documents, merged.
    private(set) var remote = RemoteSnapshot.empty
    /// The state of the sources.
    private(set) var sources = RemoteState()
    /// The team's values; empty without a team.
    private(set) var team = TeamReading()
    /// Remote values that the app set itself; `nil` if there are none.
    private(set) var pushed: PushedRemote?
    /// The defaults that the store was opened with; remote values win over them.
    private let storeDefaults: ValueTable

    init(_ values: LayerValues) {
        self.values = values
        storeDefaults = values.defaults
        remote = RemoteSnapshot(documents: [], defaults: storeDefaults)
    }

    var snapshot: FlagSnapshot { FlagSnapshot(values: values, remote: remote) }

    /// The status of the remote values: the status of the sources, or `loaded` if the sources are idle and the app set
    /// values.
    var remoteStatus: RemoteStatus {
        let status = sources.status
        guard status == .idle, let pushed else { return status }
        return .loaded(at: pushed.takenAt)
    }

    /// Replaces the state of the sources; returns whether values may have changed.
    mutating func take(_ new: RemoteState) -> Bool {
        let isFirst = sources.sources.isEmpty
        let hasChanged = isFirst || new.activations != sources.activations
        sources = new
        if hasChanged { join() }
        return hasChanged
    }

    /// Replaces the state of the team's values; returns whether they may have changed.
    mutating func takeTeam(_ update: RemoteUpdate) -> Bool {
        team.take(update)
        guard values[.team].overrides != team.overrides else { return false }
        values[.team].overrides = team.overrides
        return true
    }

    /// Replaces the values that the app set itself. If their catalog is malformed, the last good catalog stays in use.
    mutating func take(_ new: PushedRemote) -> Bool {
        let document = pushed.map { new.document.keepingCatalog(of: $0.document) } ?? new.document
        pushed = PushedRemote(document: document, takenAt: new.takenAt)
        join()
        return true
    }

    private mutating func join() {
        remote = sources.snapshot(defaults: storeDefaults, pushed: pushed?.document)
        values.remote = remote.values
        values.defaults = remote.defaults
    }

    /// The keys whose values may differ from older contents, if only `layers` have changed.
    func keys(changedFrom old: StoreContents, in layers: Set<FlagLayer>) -> Set<FlagText> {
        var keys: Set<FlagText> = []
        if layers.contains(.override) {
            keys.formUnion(
                values.overrides.mapValues(\.value).changedKeys(from: old.values.overrides.mapValues(\.value)))
        }
        if layers.contains(.team) {
            keys.formUnion(
                values[.team].overrides.mapValues(\.value)
                    .changedKeys(from: old.values[.team].overrides.mapValues(\.value)))
        }
        if layers.contains(.remote) {
            keys.formUnion(StoreState.keys(changedFrom: old.values.remote, to: values.remote))
            keys.formUnion(StoreState.keys(changedFrom: old.values.defaults, to: values.defaults))
            keys.formUnion(localKeys.filter { old.remote.type(of: $0) != remote.type(of: $0) })
        }
        return keys
    }

    /// The keys of the layers above remote. If a type changes, texts in these layers may become valid or invalid.
    private var localKeys: [FlagText] { FlagLayer.aboveRemote.flatMap { values[$0].keys } }
}

extension StoreState {
    /// The keys whose values differ between two tables.
    static func keys(changedFrom old: ValueTable, to new: ValueTable) -> Set<FlagText> {
        var keys = Set(new.keys.lazy.filter { old[$0] != new[$0] })
        keys.formUnion(old.keys.lazy.filter { new[$0] == nil })
        return keys
    }
}

/// Remote values that the app set itself.
struct PushedRemote: Sendable {
    let document: RemoteDocument
    let takenAt: FlagTimestamp
}
