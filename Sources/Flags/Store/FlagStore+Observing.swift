import Dispatch

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

    /// Calls a handler after each change of any effective value.
    ///
    /// - Parameter handler: called on a separate queue, one call at a time.
    /// - Returns: the subscription, which ends when it is released.
    public func onChange(_ handler: @escaping @Sendable (FlagChange<String?>) -> Void) -> FlagObservation {
        observe(.all, handler)
    }

    /// Calls a handler after each change of one flag.
    ///
    /// - Parameters:
    ///   - key: the flag.
    ///   - handler: called on a separate queue, one call at a time.
    /// - Returns: the subscription, which ends when it is released.
    public func onChange<Value>(
        of key: FlagKey<Value>, _ handler: @escaping @Sendable (FlagChange<Value>) -> Void
    ) -> FlagObservation {
        observe(.value(key.declaration)) { handler(Self.typed($0, key)) }
    }

    /// Calls a handler after each change of a key that no code declares.
    ///
    /// - Parameters:
    ///   - key: the flag's key.
    ///   - handler: called on a separate queue, one call at a time.
    /// - Returns: the subscription, which ends when it is released.
    public func onChange(
        of key: String, _ handler: @escaping @Sendable (FlagChange<String?>) -> Void
    ) -> FlagObservation {
        observe(.text(key), handler)
    }

    private static func typed<Value>(_ change: FlagChange<String?>, _ key: FlagKey<Value>) -> FlagChange<Value> {
        func value(_ text: String?) -> Value { text.flatMap(key.declaration.coding.read) ?? key.defaultValue }
        return FlagChange(key: change.key, old: value(change.old), new: value(change.new), layer: change.layer)
    }

    /// The changes of flags, each of which counts as a read when it is delivered.
    private func changes<Value>(
        of observed: ObservedFlags, _ read: @escaping @Sendable (FlagChange<String?>) -> FlagChange<Value>
    ) -> FlagChanges<Value> {
        let feed = ChangeFeed(observed)
        return FlagChanges(feed: feed, signals: updates(of: { _ in }, when: feed.receive).stream) {
            [weak self] change in
            self?.recordDelivery(of: change, to: observed)
            return read(change)
        }
    }

    private func observe(
        _ observed: ObservedFlags, _ handler: @escaping @Sendable (FlagChange<String?>) -> Void
    ) -> FlagObservation {
        let (feed, queue) = (ChangeFeed(observed), DispatchQueue(label: "flags.changes"))
        let observation = observe { [weak self] change in
            guard feed.receive(change) else { return }
            queue.async { [weak self] in
                while let change = feed.popFirst() {
                    handler(change)
                    // Not before the handler has used the value, as others may wait for that.
                    self?.recordDelivery(of: change, to: observed)
                }
            }
        }
        return FlagObservation {
            feed.end()
            observation.cancel()
        }
    }
}
