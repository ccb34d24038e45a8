import Dispatch
import Observation
import Synchronization

/// The values of flags that views and models observe.
///
/// Each value is an object, which observers track until a change replaces it. So an observer that has read an old value
/// can be notified at any time after the change, and one that has read the new value is not.
final class ObservedValues: Sendable {
    /// Identifies a flag.
    private enum Identity: Hashable {
        case slot(Int)
        case text(String)
    }

    private struct Entry {
        let feed: ChangeFeed
        var current = ObservedValue()
        /// Whether anybody may track the current value.
        var isTracked = false
    }

    /// Old values whose observers may not have started to track them.
    private struct Late {
        /// The values, the oldest first.
        var values: [ObservedValue] = []
        /// Whether the main queue has a call to notify. There is at most one, as a program may never run its main queue.
        var isOnMainQueue = false
    }

    /// When the observers of an old value are notified again. `withObservationTracking` starts to track only after its
    /// closure has returned, and would miss a change that another thread makes before that. On the main thread, the main
    /// queue is a sure sign that the closure has returned; elsewhere there is none.
    private static let lateNotifications: [DispatchTimeInterval] = [
        .milliseconds(10), .milliseconds(100), .seconds(1),
    ]

    private let entries = Mutex<[Identity: Entry]>([:])
    private let late = Mutex(Late())
    private let queue = DispatchQueue(label: "flags.observation")

    /// Makes the observer that is running on this thread, if there is one, track a flag. Called before the flag is read,
    /// so that no change between the two is missed.
    func track(_ flag: ObservedFlags, in store: FlagStore) {
        guard let identity = Self.identity(of: flag) else { return }
        let value = entries.withLock { entries in
            if let entry = entries[identity], entry.isTracked { return entry.current }
            var entry = entries[identity] ?? Entry(feed: feed(of: flag, identity, in: store))
            entry.isTracked = true
            entries[identity] = entry
            return entry.current
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

    /// The changes of a flag, which the store reports as long as it exists.
    private func feed(of flag: ObservedFlags, _ identity: Identity, in store: FlagStore) -> ChangeFeed {
        let feed = ChangeFeed(flag, onUpdate: { [weak self] in self?.schedule(identity) })
        _ = store.add(feed, to: \.feeds)
        return feed
    }

    private func schedule(_ identity: Identity) {
        queue.async { [weak self] in self?.replace(identity) }
    }

    /// Replaces the value of a flag that has changed, and notifies the observers of the old one. They are also notified if
    /// the flag has changed back, as they may have read the value between.
    private func replace(_ identity: Identity) {
        let old = entries.withLock { entries -> ObservedValue? in
            guard let entry = entries[identity] else { return nil }
            _ = entry.feed.take()
            guard entry.isTracked else { return nil }
            entries[identity] = Entry(feed: entry.feed)
            return entry.current
        }
        guard let old else { return }
        old.notify()
        notifyLate(old)
    }

    private func notifyLate(_ old: ObservedValue) {
        let isFirst = late.withLock { late in
            late.values.append(old)
            defer { late.isOnMainQueue = true }
            return !late.isOnMainQueue
        }
        if isFirst { DispatchQueue.main.async { [weak self] in self?.notifyOnMainQueue() } }
        for delay in Self.lateNotifications { queue.asyncAfter(deadline: .now() + delay) { old.notify() } }
        queue.asyncAfter(deadline: .now() + (Self.lateNotifications.last ?? .never)) { [weak self] in
            self?.late.withLock { late in late.values.removeAll { $0 === old } }
        }
    }

    private func notifyOnMainQueue() {
        let values = late.withLock { late in
            late.isOnMainQueue = false
            return late.values
        }
        for value in values { value.notify() }
    }
}

/// One value of a flag, until a change replaces it.
private final class ObservedValue: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    /// The property that observers track.
    private var isCurrent: Bool { true }

    func track() { registrar.access(self, keyPath: \.isCurrent) }

    func notify() { registrar.withMutation(of: self, keyPath: \.isCurrent) {} }
}
