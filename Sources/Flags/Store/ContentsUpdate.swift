import FlagModel

/// A pending change of layers. First prepares the new values for readers and observers, then publishes them all at
/// once.
///
/// Code of the app, such as `init(from:)`, decodes the values. It may be slow or read flags itself, so preparing runs
/// without the lock on the state.
struct ContentsUpdate: Sendable {
    /// The change of one flag.
    private struct Change: Sendable {
        let key: String
        let old: FlagOutcome
        let new: FlagOutcome
    }

    private let layers: Set<FlagLayer>
    /// The keys whose values may differ; `nil` until there is a reader or observer, because finding the keys may take
    /// as long as reading a document.
    private var keys: Set<FlagText>?
    private let oldContents: StoreContents
    private let newContents: StoreContents
    /// The effective values of flags that have been read, by slot.
    private var values: [Int: PublishableValue] = [:]
    /// The changes for each observer.
    private var updates: [UInt64: [Change]] = [:]

    /// - Parameter layers: the layers that may differ.
    init(of layers: Set<FlagLayer>, from oldContents: StoreContents, to newContents: StoreContents) {
        self.layers = layers
        if layers.isEmpty { keys = [] }
        self.oldContents = oldContents
        self.newContents = newContents
    }

    /// The invalid texts of flags that have been read.
    var refused: [RejectedValue] { values.values.flatMap(\.refused) }

    /// Whether the change is prepared for all readers and observers in `state`, including new ones.
    func isComplete(for state: StoreState) -> Bool {
        if state.readFlags.isEmpty, state.feeds.isEmpty, state.layerFeeds.isEmpty { return true }
        guard let keys else { return false }
        return keys.isEmpty
            || state.readFlags.declarations(of: keys).allSatisfy { values[$0.slot] != nil }
                && state.feeds.keys.allSatisfy { updates[$0] != nil }
    }

    /// Prepares the change for new readers and observers.
    mutating func prepare(for readers: ReadFlags, _ observers: [UInt64: ChangeFeed]) {
        let keys = keys ?? newContents.keys(changedFrom: oldContents, in: layers)
        self.keys = keys
        for declaration in readers.declarations(of: keys) where values[declaration.slot] == nil {
            values[declaration.slot] = declaration.publishable(newContents.values)
        }
        var allChanges: [Change]?
        for (number, feed) in observers where updates[number] == nil {
            switch feed.flags {
            case .all:
                allChanges = allChanges ?? keys.sorted().flatMap { changes(of: $0.string, read: nil) }
                updates[number] = allChanges
            case .text(let key): updates[number] = changes(of: key, read: nil)
            case .value(let declaration): updates[number] = changes(of: declaration.name, read: declaration)
            }
        }
    }

    /// The change of one flag; empty if its value is the same, even with a different text.
    private func changes(of key: String, read declaration: (any AnyFlagDeclaration)?) -> [Change] {
        guard keys?.contains(FlagText(key)) == true else { return [] }
        let old = oldContents.snapshot.outcome(of: key, read: declaration)
        let new = newContents.snapshot.outcome(of: key, read: declaration)
        return old.isSameValue(as: new) ? [] : [Change(key: key, old: old, new: new)]
    }

    /// Publishes the change to readers, and then to observers.
    ///
    /// - Returns: replaced objects, to be released outside the lock.
    func commit(to state: inout StoreState, slots: borrowing SlotTable) -> [any Sendable] {
        state.contents = newContents
        guard keys != [] else { return [] }
        state.generation += 1
        var replaced: [any Sendable] = []
        if state.reads.isTracked { state.reads.noteChange(of: keys) }
        for (slot, value) in values {
            let old =
                state.reads.isTracked
                ? state.reads.withdraw(value, at: slot, from: slots) : value.publish(slots)
            if let old { replaced.append(old) }
        }
        for feed in state.layerFeeds.values { feed.notify(of: keys ?? [], in: layers) }
        for (number, changes) in updates {
            for change in changes { state.feeds[number]?.put(change.key, from: change.old, to: change.new) }
        }
        return replaced
    }
}
