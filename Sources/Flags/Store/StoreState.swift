import FlagModel

/// Everything of a store that changes, in one place under one lock.
struct StoreState {
    var values: LayerValues
    /// The active remote documents joined: catalog and types.
    var remote = RemoteSnapshot.empty
    /// What the sources said, as far as it is active.
    var opened: OpenedRemote
    /// What the app itself gave as remote values; `nil` until it did.
    var pushed: PushedRemote?
    /// The declared keys that somebody has read, by their slot: those are published when a layer changes.
    var published: [Int: any AnyFlagDeclaration] = [:]
    var feeds: [UInt64: ChangeFeed] = [:]
    /// Those who want to know of every change of a layer, also of one that changes no effective value.
    var layerFeeds: [UInt64: LayerFeed] = [:]
    var lastFeed: UInt64 = 0
    /// What was told last.
    var remoteStatus = RemoteStatus.idle
    var sourceStatus = RemoteStatus.idle
    /// What is wrong with some source, or with keeping what it says.
    var remoteProblems: [String] = []
    var statusFeeds: [UInt64: AsyncStream<RemoteStatus>.Continuation] = [:]
    var overrideFeeds: [UInt64: AsyncStream<[String: Override]>.Continuation] = [:]
    /// Texts that were reported already.
    var reported: Set<RefusedValue> = []
    /// What is wrong with the override file; `nil` while nothing is.
    var storeProblem: String?
    /// Why changes of other processes do not arrive; `nil` while they do.
    var watchProblem: String?

    /// How the remote values stand: as the sources say, and where they say nothing, what the app gave itself is loaded.
    var currentStatus: RemoteStatus {
        guard sourceStatus == .idle, let pushed else { return sourceStatus }
        return .loaded(at: pushed.takenAt)
    }

    var snapshot: FlagSnapshot { FlagSnapshot(values: values, remote: remote) }

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
