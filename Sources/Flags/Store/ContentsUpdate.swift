import FlagModel

/// A pending change of layers: its effect on readers and observers is prepared here, and then visible to all at once.
///
/// Texts are decoded by code of the app, such as `init(from:)`, which may read flags itself or be slow. That is why it
/// runs here, without the lock on the state.
struct ContentsUpdate: Sendable {
    /// The change of one flag.
    private struct Change: Sendable {
        let key: String
        let old: FlagOutcome
        let new: FlagOutcome
    }

    private let layers: Set<Layer>
    /// The keys that may differ; `nil` until there is a reader or observer, as it takes as long as reading a document.
    private var keys: Set<String>?
    private let before: StoreContents
    private let after: StoreContents
    /// The effective values of flags that have been read, by slot.
    private var values: [Int: PublishableValue] = [:]
    /// The changes for each observer.
    private var news: [UInt64: [Change]] = [:]

    /// - Parameter layers: the layers that may differ.
    init(of layers: Set<Layer>, from before: StoreContents, to after: StoreContents) {
        self.layers = layers
        if layers.isEmpty { keys = [] }
        self.before = before
        self.after = after
    }

    /// Invalid texts of flags that are read.
    var refused: [RefusedValue] { values.values.flatMap(\.refused) }

    /// Whether all readers and observers are prepared; new ones may have come meanwhile.
    func isComplete(for state: StoreState) -> Bool {
        if state.published.isEmpty, state.feeds.isEmpty, state.layerFeeds.isEmpty { return true }
        guard let keys else { return false }
        return keys.isEmpty
            || state.published.allSatisfy { values[$0.key] != nil || !keys.contains($0.value.name) }
                && state.feeds.keys.allSatisfy { news[$0] != nil }
    }

    /// Prepares the change for readers and observers that are new.
    mutating func prepare(for readers: [Int: any AnyFlagDeclaration], _ observers: [UInt64: ChangeFeed]) {
        let keys = keys ?? after.keys(changedFrom: before, in: layers)
        self.keys = keys
        for (slot, declaration) in readers where values[slot] == nil && keys.contains(declaration.name) {
            values[slot] = declaration.publishable(after.values)
        }
        var all: [Change]?
        for (number, feed) in observers where news[number] == nil {
            switch feed.flags {
            case .all:
                all = all ?? keys.sorted().flatMap { changes(of: $0, read: nil) }
                news[number] = all
            case .text(let key): news[number] = changes(of: key, read: nil)
            case .value(let declaration): news[number] = changes(of: declaration.name, read: declaration)
            }
        }
    }

    /// The change of one flag, if it is one: a different text may have the same value.
    private func changes(of key: String, read declaration: (any AnyFlagDeclaration)?) -> [Change] {
        guard keys?.contains(key) == true else { return [] }
        let old = before.snapshot.outcome(of: key, read: declaration)
        let new = after.snapshot.outcome(of: key, read: declaration)
        return old.isSameValue(as: new) ? [] : [Change(key: key, old: old, new: new)]
    }

    /// Publishes the change to readers, and then to observers.
    ///
    /// - Returns: replaced objects, to be released outside the lock.
    func commit(to state: inout StoreState, slots: borrowing SlotTable) -> [any Sendable] {
        state.contents = after
        guard keys != [] else { return [] }
        state.generation += 1
        var replaced: [any Sendable] = []
        for value in values.values {
            if let old = value.publish(slots) { replaced.append(old) }
        }
        for feed in state.layerFeeds.values { feed.tell(of: keys ?? [], in: layers) }
        for (number, changes) in news {
            for change in changes { state.feeds[number]?.put(change.key, from: change.old, to: change.new) }
        }
        return replaced
    }
}
