import Synchronization

/// The pending changes of one observer, at most one per flag.
final class ChangeFeed: Sendable {
    private struct Pending {
        var old: FlagOutcome
        var new: FlagOutcome

        /// `false` if the flag is back at its old value.
        var isChange: Bool { !old.isSameValue(as: new) }
    }

    private struct Contents {
        /// Keys in the order of their changes, each once until it is taken.
        var order: [String] = []
        var taken = 0
        var changes: [String: Pending] = [:]

        mutating func nextKey() -> String? {
            guard taken < order.count else {
                (order, taken) = ([], 0)
                return nil
            }
            defer { taken += 1 }
            // A reader that never catches up would otherwise retain all taken keys.
            if taken >= 64, taken > order.count / 2 {
                order.removeFirst(taken)
                taken = 0
            }
            return order[taken]
        }
    }

    let flags: ObservedFlags
    private let contents = Mutex(Contents())
    /// Called after changes were added; from any thread, must be brief.
    private let onNews: @Sendable () -> Void

    /// Called when no more changes will be added.
    private let onEnd: @Sendable () -> Void

    init(
        _ flags: ObservedFlags, onNews: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.flags = flags
        self.onNews = onNews
        self.onEnd = onEnd
    }

    /// Signals that no more changes will be added.
    func end() { onEnd() }

    /// Adds a change; merges it into a pending one, and drops it if the flag is back at its old value.
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

    /// Takes the oldest pending change.
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

/// Which flags an observer subscribes to.
enum ObservedFlags: Sendable {
    case all
    /// One key, read by its first declaration, or as text.
    case text(String)
    /// One flag, read by its own declaration: two may share a key and have different defaults.
    case value(any AnyFlagDeclaration)
}
