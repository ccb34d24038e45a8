import Synchronization

/// The observers of a store, and the changes that they have not received yet: the one way by which a change leaves the
/// store.
///
/// One thread at a time delivers, without a lock; what other threads, or observers, append meanwhile is delivered by the
/// same thread. So each observer receives all changes in their order, one at a time, and each once. ``deliver()`` may
/// return while another thread still delivers.
final class Publication: Sendable {
    private struct Observer: Sendable {
        let number: Int
        /// The revision of the contents when the observer was added. It receives only later changes.
        let revision: Int
        let receive: @Sendable (StoreChange) -> Void
        /// Called when the store ends.
        let end: @Sendable () -> Void
    }

    /// A change, and the objects of changed values, which are released without a lock: the app may read flags when they
    /// are.
    typealias Pending = (change: StoreChange, withdrawn: [any AnyObject & Sendable])

    private struct State {
        var observers: [Observer] = []
        var lastNumber = 0
        /// The oldest first.
        var pending: [Pending] = []
        var isDelivering = false
    }

    /// Locked also while the contents are replaced, so that changes are made one after another.
    private let state = Mutex(State())

    /// How many observers there are.
    var count: Int { state.withLock { $0.observers.count } }

    /// Adds an observer, and returns its number.
    ///
    /// - Parameter begin: called while no change is made; returns the revision after which the observer begins.
    func add(
        after begin: () -> Int, onEnd end: @escaping @Sendable () -> Void,
        _ receive: @escaping @Sendable (StoreChange) -> Void
    ) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.observers.append(
                Observer(number: state.lastNumber, revision: begin(), receive: receive, end: end))
            return state.lastNumber
        }
    }

    /// Removes an observer. If it is receiving a change on another thread, this call continues.
    func remove(_ number: Int) {
        let removed = state.withLock { state in
            state.observers.firstIndex { $0.number == number }.map { state.observers.remove(at: $0) }
        }
        // Released without the lock: it may have the last reference to an object of the app.
        withExtendedLifetime(removed) {}
    }

    /// Makes a change, and appends it to be delivered.
    ///
    /// - Parameter make: returns the change and the objects of the withdrawn values, or `nil` to change nothing. Called
    ///   while no other change is made and no observer is added.
    /// - Returns: the change.
    func append(_ make: () -> Pending?) -> StoreChange? {
        state.withLock { state in
            guard let pending = make() else { return nil }
            state.pending.append(pending)
            return pending.change
        }
    }

    /// Delivers the appended changes, unless another thread, or a caller of this thread, already does. Called without a
    /// lock.
    func deliver() {
        let isFirst = state.withLock { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard isFirst else { return }
        while let (pending, observers) = next() {
            for observer in observers where observer.revision < pending.change.new.revision {
                observer.receive(pending.change)
            }
        }
    }

    /// The next change and its observers; `nil` if there is none, so that the next caller delivers again.
    private func next() -> (Pending, [Observer])? {
        state.withLock { state in
            guard !state.pending.isEmpty else {
                state.isDelivering = false
                return nil
            }
            return (state.pending.removeFirst(), state.observers)
        }
    }

    /// Ends and removes all observers.
    func end() {
        let ended = state.withLock { state in
            defer { state.observers = [] }
            return state.observers
        }
        for observer in ended { observer.end() }
    }
}
