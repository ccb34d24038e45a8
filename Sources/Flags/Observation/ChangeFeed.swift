import FlagModel
import Synchronization

/// The pending changes of one observer, at most one per flag.
final class ChangeFeed: Sendable {
    private struct Pending {
        var old: FlagOutcome
        var new: FlagOutcome

        /// Whether the value has changed; `false` if the flag is back at its old value.
        var isChange: Bool { !old.isSameValue(as: new) }
    }

    private struct Contents {
        /// The keys in the order of their changes. The first `readCount` keys are already read.
        var order: [String] = []
        var readCount = 0
        var changes: FlagTable<Pending> = [:]

        mutating func nextKey() -> String? {
            guard readCount < order.count else {
                (order, readCount) = ([], 0)
                return nil
            }
            defer { readCount += 1 }
            // Without this, the keys of a reader that never catches up would never be released.
            if readCount >= 64, readCount > order.count / 2 {
                order.removeFirst(readCount)
                readCount = 0
            }
            return order[readCount]
        }
    }

    private let flags: ObservedFlags
    private let contents = Mutex(Contents())
    /// Called after changes were added, on any thread. Must return quickly.
    private let onUpdate: @Sendable () -> Void

    init(_ flags: ObservedFlags, onUpdate: @escaping @Sendable () -> Void) {
        self.flags = flags
        self.onUpdate = onUpdate
    }

    /// Adds the changes of the observed flags.
    func receive(_ change: StoreChange) {
        for change in flags.changes(in: change) { put(change) }
    }

    /// Adds a change, or merges it with the pending change of the key.
    private func put(_ change: StoreChange.ValueChange) {
        let isFirstChange = contents.withLock { contents in
            let pending = contents.changes[change.key]
            if pending == nil { contents.order.append(change.key) }
            contents.changes[change.key] = Pending(old: pending?.old ?? change.old, new: change.new)
            return pending == nil
        }
        if isFirstChange { onUpdate() }
    }

    /// Removes and returns the oldest pending change; `nil` if there is none. Drops the changes of flags that are back
    /// at their old values.
    func popFirst() -> FlagChange<String?>? {
        contents.withLock { contents in
            while let key = contents.nextKey() {
                guard let change = contents.changes.removeValue(forKey: key), change.isChange else { continue }
                return FlagChange(key: key, old: change.old.text, new: change.new.text, layer: change.new.layer)
            }
            return nil
        }
    }
}

/// The flags that an observer subscribes to.
enum ObservedFlags: Sendable {
    case all
    /// One key, read by its first declaration, or as text if no code declares the key.
    case text(String)
    /// One flag, read by this declaration, as two declarations may share a key and have different defaults.
    case value(any AnyFlagDeclaration)

    /// The changes of these flags.
    func changes(in change: StoreChange) -> [StoreChange.ValueChange] {
        switch self {
        case .all: change.changes
        case .text(let key): change.change(of: key).map { [$0] } ?? []
        case .value(let declaration): change.change(of: declaration.name, read: declaration).map { [$0] } ?? []
        }
    }
}
