public import FlagModel
public import FlagRemote
public import Observation
import Synchronization

/// The flags of a store, for views and models that redraw when a flag changes.
///
/// A view that reads a flag is drawn again after this flag has changed, and not after others have:
///
/// ```swift
/// @MainActor @Observable
/// final class LocationModel {
///     private let flags: ObservableFlags
///
///     init(_ flags: ObservableFlags) { self.flags = flags }
///
///     var title: String { flags[.multipleLocations] ? "Locations" : "Location" }
/// }
/// ```
///
/// An observer is notified after the new value is there, on any thread. Code that draws nothing reads the store. See
/// <doc:ObservingFlags>.
public final class ObservableFlags: Observable, Sendable {
    /// The store whose flags are read.
    public let store: FlagStore
    /// The scope in which this was made. A view reads its values also in tasks that are not in the scope.
    private let scope = ScopedOverrides.current

    /// The observable flags of a store.
    public init(_ store: FlagStore) { self.store = store }

    /// The effective value of a flag.
    public subscript<Value>(key: FlagKey<Value>) -> Value {
        store.track(key)
        return inScope { store[key] }
    }

    private func inScope<Result, Failure: Error>(
        _ read: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let scope, ScopedOverrides.current == nil else { return try read() }
        return try ScopedOverrides.$current.withValue(scope) { Swift.Result(catching: read) }.get()
    }

    /// The status of the remote values.
    public var remoteStatus: RemoteStatus {
        store.track(.remoteStatus)
        return store.remoteStatus
    }

    /// The catalog.
    public var catalog: Catalog {
        store.track(.catalog)
        return store.snapshot().catalog
    }

    /// All flags at this moment.
    public func snapshot() -> FlagSnapshot {
        store.track(.snapshot)
        return inScope { store.snapshot() }
    }
}

extension ObservableFlags: UndeclaredFlags {
    /// The text of the highest layer that has the key.
    public func text(of key: String, as type: FlagType) throws(FlagReadError) -> String {
        store.track(.text(key), flags: .text(key))
        return try inScope { () throws(FlagReadError) in try store.text(of: key, as: type) }
    }
}

extension FlagStore {
    /// Makes the observer that is running on this thread, if there is one, track a flag. Called before the flag is read,
    /// so that no change between the two is missed.
    func track<Value>(_ key: FlagKey<Value>) {
        if let observed = slots.observed(at: key.slot) { return observed.track() }
        let observed = track(.slot(key.slot), flags: .value(key.declaration))
        state.withLock { _ in slots.keepObserved(observed, at: key.slot) }
    }

    @discardableResult
    fileprivate func track(_ content: ObservedFlag.Content, flags: ObservedFlags? = nil) -> ObservedFlag {
        let observed = state.withLock { state in
            if let known = state.observed[content] { return known }
            let new = ObservedFlag(content, flags: flags)
            state.observed[content] = new
            return new
        }
        observed.track()
        return observed
    }
}
