import FlagRemote
import Synchronization

// Observing. Changes include overrides of other processes, which the system reports without polling.
extension FlagStore {
    /// Every change of an effective value from now on, as text. A slow reader gets one merged change of each flag.
    public var changes: FlagChanges<String?> { changes(of: .all) { $0 } }

    /// Every change of one flag from now on.
    public func changes<Value>(of key: FlagKey<Value>) -> FlagChanges<Value> {
        changes(of: .value(key.declaration)) { Self.typed($0, key) }
    }

    /// Every change of a key that no code declares, as text. The text is `nil` while no layer has the key.
    public func changes(of key: String) -> FlagChanges<String?> {
        changes(of: .text(key)) { $0 }
    }

    /// A snapshot after each change of a layer or the catalog, with the keys whose effective values have changed. A slow
    /// reader gets the newest snapshot, with all keys that have changed since the last one. A snapshot that the reader
    /// keeps also keeps the store.
    public var snapshots: some AsyncSequence<SnapshotChange, Never> & Sendable {
        let changedKeys = Mutex<Set<String>?>(nil)
        let scopes = ScopedOverrides.scopes(of: self)
        let updates = updates(of: { _ in }) { change in
            guard !change.layers.isEmpty else { return false }
            let keys = ScopedOverrides.applied(scopes, to: change).changes.map(\.key)
            changedKeys.withLock { $0 = ($0 ?? []).union(keys) }
            return true
        }
        // The stream begins with the current contents, unless a change has replaced them before the first read.
        return updates.stream.compactMap { [weak self] _ in
            let keys = changedKeys.withLock { keys in
                defer { keys = nil }
                return keys
            }
            guard let self, let keys else { return nil }
            return SnapshotChange(snapshot: snapshot(), changedKeys: keys)
        }
    }

    /// All flags after a change, and the keys of those that changed.
    public struct SnapshotChange: Sendable {
        /// All flags after the change.
        public let snapshot: FlagSnapshot
        /// The keys whose effective values have changed; empty if only the catalog has.
        public let changedKeys: Set<String>
    }

    /// Calls a handler after each change of any effective value.
    ///
    /// - Parameter handler: called one call at a time, on the actor of the code that has it, such as the main actor; else
    ///   on a thread of its own.
    /// - Returns: the subscription, which ends when it is released.
    public func onChange(
        @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (FlagChange<String?>) -> Void
    ) -> FlagObservation { observe(.all, handler) { $0 } }

    /// Calls a handler after each change of one flag.
    ///
    /// - Parameters:
    ///   - key: the flag.
    ///   - handler: called one call at a time, on the actor of the code that has it, such as the main actor; else on a
    ///     thread of its own.
    /// - Returns: the subscription, which ends when it is released.
    public func onChange<Value>(
        of key: FlagKey<Value>,
        @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (FlagChange<Value>) -> Void
    ) -> FlagObservation { observe(.value(key.declaration), handler) { Self.typed($0, key) } }

    /// Calls a handler after each change of a key that no code declares.
    ///
    /// - Parameters:
    ///   - key: the flag's key.
    ///   - handler: called one call at a time, on the actor of the code that has it, such as the main actor; else on a
    ///     thread of its own.
    /// - Returns: the subscription, which ends when it is released.
    public func onChange(
        of key: String,
        @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (FlagChange<String?>) -> Void
    ) -> FlagObservation { observe(.text(key), handler) { $0 } }

    private static func typed<Value>(_ change: FlagChange<String?>, _ key: FlagKey<Value>) -> FlagChange<Value> {
        func value(_ text: String?) -> Value { text.flatMap { try? key.declaration.value(of: $0) } ?? key.defaultValue }
        return FlagChange(key: change.key, old: value(change.old), new: value(change.new), layer: change.layer)
    }

    /// The changes of flags, each of which counts as a read when it is delivered.
    private func changes<Value>(
        of observed: ObservedFlags, _ read: @escaping @Sendable (FlagChange<String?>) -> FlagChange<Value>
    ) -> FlagChanges<Value> {
        let feed = ChangeFeed(observed, of: self)
        return FlagChanges(feed: feed, signals: updates(of: { _ in }, when: feed.receive).stream) {
            [weak self] change in
            self?.recordDelivery(of: change, to: observed)
            return read(change)
        }
    }

    private func observe<Value>(
        _ observed: ObservedFlags, _ handler: @escaping @isolated(any) @Sendable (FlagChange<Value>) -> Void,
        _ read: @escaping @Sendable (FlagChange<String?>) -> FlagChange<Value>
    ) -> FlagObservation {
        let feed = ChangeFeed(observed, of: self)
        let updates = updates(of: { _ in }, when: feed.receive)
        // A thread of its own, so that a slow handler delays no other.
        let thread = OwnThreads(label: "flags.changes", isConcurrent: false)
        let task = Task(executorPreference: thread) { [weak self] in
            for await _ in updates.stream {
                while let change = feed.popFirst() {
                    await handler(read(change))
                    // Not before the handler has used the value, as others may wait for that.
                    self?.recordDelivery(of: change, to: observed)
                }
            }
        }
        return FlagObservation {
            feed.end()
            task.cancel()
        }
    }
}
