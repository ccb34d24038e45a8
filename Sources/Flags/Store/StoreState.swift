import FlagModel
import FlagRemote
import FlagStorage

/// Everything of a store that changes, in one place under one lock. No code of the app runs under it: that may read flags.
struct StoreState {
    var contents: StoreContents
    /// Tells one state of the values from the next.
    var generation = 0
    /// The declared keys that somebody has read, by their slot: those are published when a layer changes.
    var published: [Int: any AnyFlagDeclaration] = [:]
    var feeds: [UInt64: ChangeFeed] = [:]
    /// Those who want to know of every change of a layer, also of one that changes no effective value.
    var layerFeeds: [UInt64: LayerFeed] = [:]
    var lastFeed: UInt64 = 0
    /// What was told last.
    var remoteStatus = RemoteStatus.idle
    var statusFeeds: [UInt64: AsyncStream<RemoteStatus>.Continuation] = [:]
    /// Those who want to know of every step of the remote side.
    var remoteObservers: [UInt64: @Sendable (RemoteUpdate) -> Void] = [:]
    /// Those who want to know of every reading of the override file.
    var storeObservers: [UInt64: @Sendable (StoreReading) -> Void] = [:]
    var overrideFeeds: [UInt64: AsyncStream<[String: Override]>.Continuation] = [:]
    /// Texts that were reported already.
    var reported: Set<RefusedValue> = []
    /// Why changes of other processes do not arrive; `nil` while they do.
    var watchProblem: String?

    init(_ contents: StoreContents) {
        self.contents = contents
        remoteStatus = contents.remoteStatus
    }

    /// Above this many reported texts, those that stand in no layer any more are forgotten: a service may send another
    /// broken text each time.
    private static let reportedLimit = 256

    /// Those of some values that were not reported yet; they count as reported from now on.
    mutating func news(among refused: [RefusedValue]) -> [RefusedValue] {
        let news = refused.filter { reported.insert($0).inserted }
        if reported.count > Self.reportedLimit {
            reported = reported.filter { contents.values.text(of: $0.key, in: $0.layer) == $0.text }
        }
        return news
    }

    /// Tells how the remote values stand, where that is news.
    mutating func tellStatus() {
        guard remoteStatus != contents.remoteStatus else { return }
        remoteStatus = contents.remoteStatus
        for feed in statusFeeds.values { feed.yield(remoteStatus) }
    }

    /// Tells which overrides are in force.
    func tellOverrides() {
        for feed in overrideFeeds.values { feed.yield(contents.values.overrides) }
    }
}

/// What readers read: it is replaced as a whole, and never seen half changed.
struct StoreContents: Sendable {
    var values: LayerValues
    /// What is wrong with the override file; `nil` while nothing is.
    var storeProblem: String?
    /// The active remote documents joined: catalog and types.
    private(set) var remote = RemoteSnapshot.empty
    /// What the sources said.
    private(set) var sources = RemoteState()
    /// What the app itself gave as remote values; `nil` until it did.
    private(set) var pushed: PushedRemote?
    /// The values below the remote ones that the store was opened with.
    private let ownDefaults: ValueTable

    init(_ values: LayerValues) {
        self.values = values
        ownDefaults = values.defaults
        remote = RemoteSnapshot(documents: [], defaults: ownDefaults)
    }

    var snapshot: FlagSnapshot { FlagSnapshot(values: values, remote: remote) }

    /// How the remote values stand: as the sources say, and where they say nothing, what the app gave itself is loaded.
    var remoteStatus: RemoteStatus {
        let status = sources.status
        guard status == .idle, let pushed else { return status }
        return .loaded(at: pushed.takenAt)
    }

    /// Takes over what the sources said; returns whether that may change values.
    mutating func take(_ new: RemoteState) -> Bool {
        let isFirst = sources.sources.isEmpty
        let hasChanged = isFirst || new.activations != sources.activations
        sources = new
        if hasChanged { join() }
        return hasChanged
    }

    /// Takes over what the app itself gave. Where the catalog in it cannot be read, the last good one stays.
    mutating func take(_ new: PushedRemote) -> Bool {
        let document = pushed.map { new.document.keepingCatalog(of: $0.document) } ?? new.document
        pushed = PushedRemote(document: document, takenAt: new.takenAt)
        join()
        return true
    }

    private mutating func join() {
        remote = sources.snapshot(defaults: ownDefaults, pushed: pushed?.document)
        values.remote = remote.values
        values.defaults = remote.defaults
    }

    /// The keys whose values may differ from older ones, where only these layers have changed.
    func keys(changedFrom old: StoreContents, in layers: Set<Layer>) -> Set<String> {
        var keys: Set<String> = []
        if layers.contains(.override) {
            keys.formUnion(
                StoreState.keys(
                    changedFrom: old.values.overrides.mapValues(\.value), to: values.overrides.mapValues(\.value)))
        }
        if layers.contains(.remote) {
            keys.formUnion(StoreState.keys(changedFrom: old.values.remote, to: values.remote))
            keys.formUnion(StoreState.keys(changedFrom: old.values.defaults, to: values.defaults))
            keys.formUnion(localKeys.filter { old.remote.type(of: FlagText($0)) != remote.type(of: FlagText($0)) })
        }
        return keys
    }

    /// Keys of the layers above the remote one. Another type may make their texts readable, or unreadable.
    private var localKeys: [String] { Layer.aboveRemote.flatMap { values[$0].keys } }
}

extension StoreState {
    /// The keys that two states of the override layer, or of another small one, disagree about.
    static func keys<Value: Equatable>(changedFrom old: [String: Value], to new: [String: Value]) -> Set<String> {
        var keys = Set(new.lazy.filter { old[$0.key] != $0.value }.map(\.key))
        keys.formUnion(old.keys.lazy.filter { new[$0] == nil })
        return keys
    }

    /// The same for the tables of documents.
    static func keys(changedFrom old: ValueTable, to new: ValueTable) -> Set<String> {
        var keys = Set(new.keys.lazy.filter { old[$0] != new[$0] }.map(\.string))
        keys.formUnion(old.keys.lazy.filter { new[$0] == nil }.map(\.string))
        return keys
    }
}

/// Remote values that the app gave itself.
struct PushedRemote: Sendable {
    let document: RemoteDocument
    let takenAt: Timestamp
}
