import FlagModel
import Synchronization

/// The pending changes of one observer, at most one per flag.
final class ChangeFeed: Sendable {
    private struct Contents {
        /// The keys with pending changes, in the order of their first changes.
        var order: ArraySlice<String> = []
        var changes: FlagTable<StoreChange.ValueChange> = [:]
        var hasEnded = false
    }

    private let flags: ObservedFlags
    /// The scopes in which the observer was started: it sees their values as long as they last.
    private let scopes: [ScopedOverrides]
    private let contents = Mutex(Contents())

    init(_ flags: ObservedFlags, of store: FlagStore) {
        self.flags = flags
        scopes = ScopedOverrides.scopes(of: store)
    }

    /// Adds the changes of the observed flags, each merged with the pending change of its flag; returns whether flags
    /// without a pending change are among them, so that the observer must be called.
    func receive(_ change: StoreChange) -> Bool {
        // Without the lock, as the code of the app may read flags.
        let changes = flags.changes(in: ScopedOverrides.applied(scopes, to: change))
        return contents.withLock { contents in
            guard !contents.hasEnded else { return false }
            let pendingCount = contents.order.count
            for change in changes {
                let pending = contents.changes[change.key]
                if pending == nil { contents.order.append(change.key) }
                contents.changes[change.key] = StoreChange.ValueChange(
                    key: change.key, old: pending?.old ?? change.old, new: change.new)
            }
            return contents.order.count > pendingCount
        }
    }

    /// Removes and returns the oldest pending change; `nil` if there is none. Drops the changes of flags that are back
    /// at their old values.
    func popFirst() -> FlagChange<String?>? {
        contents.withLock { contents in
            while let key = contents.order.popFirst() {
                guard let change = contents.changes.removeValue(forKey: key), change.old.value != change.new.value
                else { continue }
                return FlagChange(key: key, old: change.old.text, new: change.new.text, layer: change.new.layer)
            }
            return nil
        }
    }

    /// Removes the pending changes, and ignores later ones.
    func end() { contents.withLock { $0 = Contents(hasEnded: true) } }
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
