import Synchronization

/// The changes that one observer has not taken yet, at most one a flag.
final class ChangeFeed: Sendable {
    private struct Pending {
        var old: FlagOutcome
        var new: FlagOutcome

        /// `false` once the flag is back where it was.
        var isChange: Bool { !old.isSameValue(as: new) }
    }

    private struct Contents {
        /// Keys in the order in which they changed, each once until it is taken.
        var order: [String] = []
        var taken = 0
        var changes: [String: Pending] = [:]

        mutating func nextKey() -> String? {
            guard taken < order.count else {
                (order, taken) = ([], 0)
                return nil
            }
            defer { taken += 1 }
            // A reader that never catches up would keep all it has taken.
            if taken >= 64, taken > order.count / 2 {
                order.removeFirst(taken)
                taken = 0
            }
            return order[taken]
        }
    }

    let flags: ObservedFlags
    private let contents = Mutex(Contents())
    /// Called after changes were put in; from any thread, and briefly.
    private let onNews: @Sendable () -> Void

    /// Called when nothing more will be put in.
    private let onEnd: @Sendable () -> Void

    init(
        _ flags: ObservedFlags, onNews: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.flags = flags
        self.onNews = onNews
        self.onEnd = onEnd
    }

    /// Tells that nothing more will be put in.
    func end() { onEnd() }

    /// Puts a change in; one that waits already becomes wider, and one that leads back to where it began is none.
    func put(_ key: String, from old: FlagOutcome, to new: FlagOutcome) {
        let hasNews = contents.withLock { contents in
            guard let waiting = contents.changes[key] else {
                contents.order.append(key)
                contents.changes[key] = Pending(old: old, new: new)
                return true
            }
            contents.changes[key] = Pending(old: waiting.old, new: new)
            return false
        }
        if hasNews { onNews() }
    }

    /// Takes the change that waits longest.
    func take() -> FlagChange<String?>? {
        contents.withLock { contents in
            while let key = contents.nextKey() {
                guard let change = contents.changes.removeValue(forKey: key), change.isChange else { continue }
                return FlagChange(key: key, old: change.old.text, new: change.new.text, layer: change.new.layer)
            }
            return nil
        }
    }
}

/// Which flags an observer wants to know of.
enum ObservedFlags: Sendable {
    case all
    /// One key, as the first declaration of it reads it, or as text.
    case text(String)
    /// One flag as its own declaration reads it: two may share a key and differ in their defaults.
    case value(any AnyFlagDeclaration)
}
