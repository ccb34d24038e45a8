import FlagModel

/// A change of layers on its way: what it means to readers and observers is worked out here, and then seen by all at once.
///
/// Texts become values by code of the app, such as `init(from:)`, which may read flags itself or take its time. That is
/// why it runs here, where the state is not locked.
struct ContentsUpdate: Sendable {
    /// The news of one flag.
    private struct Change: Sendable {
        let key: String
        let old: FlagOutcome
        let new: FlagOutcome
    }

    private let layers: Set<Layer>
    /// The keys that may differ; `nil` until somebody reads or observes, as it takes as long as reading a document.
    private var keys: Set<String>?
    private let before: StoreContents
    private let after: StoreContents
    /// The effective values of flags that somebody has read, by slot.
    private var values: [Int: PublishableValue] = [:]
    /// What each observer is to be told.
    private var news: [UInt64: [Change]] = [:]

    /// - Parameter layers: those that may differ.
    init(of layers: Set<Layer>, from before: StoreContents, to after: StoreContents) {
        self.layers = layers
        if layers.isEmpty { keys = [] }
        self.before = before
        self.after = after
    }

    /// Texts that mean nothing to those who read them.
    var refused: [RefusedValue] { values.values.flatMap(\.refused) }

    /// Whether everybody who reads and observes is prepared for; some may have come meanwhile.
    func isComplete(for state: StoreState) -> Bool {
        if state.published.isEmpty, state.feeds.isEmpty, state.layerFeeds.isEmpty { return true }
        guard let keys else { return false }
        return keys.isEmpty
            || state.published.allSatisfy { values[$0.key] != nil || !keys.contains($0.value.name) }
                && state.feeds.keys.allSatisfy { news[$0] != nil }
    }

    /// Works out what the change means to those who were not prepared for yet.
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

    /// The change of one flag, if it is one: another text may mean the same value.
    private func changes(of key: String, read declaration: (any AnyFlagDeclaration)?) -> [Change] {
        guard keys?.contains(key) == true else { return [] }
        let old = before.snapshot.outcome(of: key, read: declaration)
        let new = after.snapshot.outcome(of: key, read: declaration)
        return old.isSameValue(as: new) ? [] : [Change(key: key, old: old, new: new)]
    }

    /// Makes it what everybody reads, and then tells observers.
    ///
    /// - Returns: what nobody reads any more, to be let go where no lock is held.
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
