import Synchronization

/// The changes that one observer has not taken yet, at most one a flag.
final class ChangeFeed: Sendable {
    private struct Pending {
        var old: FlagOutcome
        var new: FlagOutcome
    }

    private struct Contents {
        /// Keys in the order in which they changed, also some whose changes are gone.
        var order: [String] = []
        var taken = 0
        var changes: [String: Pending] = [:]

        mutating func nextKey() -> String? {
            guard taken < order.count else {
                (order, taken) = ([], 0)
                return nil
            }
            defer { taken += 1 }
            return order[taken]
        }
    }

    /// The only key that matters; all do where it is `nil`.
    private let key: String?
    private let contents = Mutex(Contents())
    /// Called after changes were put in; from any thread, and briefly.
    private let onNews: @Sendable () -> Void

    /// Called when nothing more will be put in.
    private let onEnd: @Sendable () -> Void

    init(key: String?, onNews: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void = {}) {
        self.key = key
        self.onNews = onNews
        self.onEnd = onEnd
    }

    /// Tells that nothing more will be put in.
    func end() { onEnd() }

    /// Puts a change in; one that waits already becomes wider, and one that leads back to where it began goes.
    func put(_ key: String, from old: FlagOutcome, to new: FlagOutcome) {
        guard self.key == nil || self.key == key else { return }
        let hasNews = contents.withLock { contents in
            guard let waiting = contents.changes[key] else {
                contents.order.append(key)
                contents.changes[key] = Pending(old: old, new: new)
                return true
            }
            contents.changes[key] = waiting.old.isSameValue(as: new) ? nil : Pending(old: waiting.old, new: new)
            return false
        }
        if hasNews { onNews() }
    }

    /// Takes the change that waits longest.
    func take() -> FlagChange<String?>? {
        contents.withLock { contents in
            while let key = contents.nextKey() {
                guard let change = contents.changes.removeValue(forKey: key) else { continue }
                return FlagChange(key: key, old: change.old.text, new: change.new.text, layer: change.new.layer)
            }
            return nil
        }
    }
}
