import Observation
import Synchronization

/// The values of flags that views and models observe: an observer of the store, which notifies Swift's Observation.
final class ObservedValues: Sendable {
    private enum Identity: Hashable {
        case slot(Int)
        case text(String)
    }

    private struct State {
        var values: [Identity: ObservedValue] = [:]
        /// The observation of the store; `nil` until a flag is observed.
        var observation: FlagObservation?
    }

    private let state = Mutex(State())

    /// Makes the observer that is running on this thread, if there is one, track a flag. Called before the flag is read,
    /// so that no change between the two is missed.
    func track(_ flag: ObservedFlags, in store: FlagStore) {
        guard let identity = Self.identity(of: flag) else { return }
        let value = state.withLock { state in
            if let value = state.values[identity] { return value }
            let value = ObservedValue(flag)
            state.values[identity] = value
            if state.observation == nil {
                state.observation = store.observe { [weak self] change in self?.receive(change) }
            }
            return value
        }
        value.track()
    }

    private static func identity(of flag: ObservedFlags) -> Identity? {
        switch flag {
        case .all: nil
        case .text(let key): .text(key)
        case .value(let declaration): .slot(declaration.slot)
        }
    }

    private func receive(_ change: StoreChange) {
        guard !change.layers.isEmpty else { return }
        for value in state.withLock({ Array($0.values.values) }) where !value.flag.changes(in: change).isEmpty {
            value.notify()
        }
    }
}

/// One flag, as Swift's Observation tracks it.
private final class ObservedValue: Observable, Sendable {
    let flag: ObservedFlags
    private let registrar = ObservationRegistrar()

    init(_ flag: ObservedFlags) { self.flag = flag }

    /// The property that observers track.
    private var isCurrent: Bool { true }

    func track() { registrar.access(self, keyPath: \.isCurrent) }

    func notify() { registrar.withMutation(of: self, keyPath: \.isCurrent) {} }
}
