public import FlagModel
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
/// An observer is notified after the new value is there, on any thread. Reading costs about as much as a look-up in a
/// dictionary; code that draws nothing reads the store. See <doc:ObservingFlags>.
public final class ObservableFlags: Observable, Sendable {
    /// The store whose flags are read.
    public let store: FlagStore

    /// The observable flags of a store.
    public init(_ store: FlagStore) { self.store = store }

    /// The effective value of a flag.
    public subscript<Value>(key: FlagKey<Value>) -> Value {
        track(.value(key.declaration), as: .slot(key.slot))
        return store[key]
    }

    /// Makes the observer that is running on this thread, if there is one, track a flag. Called before the flag is read,
    /// so that no change between the two is missed.
    private func track(_ flag: ObservedFlags, as identity: ObservedFlag.Identity) {
        let observed = store.state.withLock { state in
            if let known = state.observed[identity] { return known }
            let new = ObservedFlag(flag)
            state.observed[identity] = new
            return new
        }
        observed.track()
    }
}

extension ObservableFlags: UndeclaredFlags {
    /// The text of the highest layer that has the key.
    public func text(of key: String, as type: FlagType) throws(FlagReadError) -> String {
        track(.text(key), as: .text(key))
        return try store.text(of: key, as: type)
    }
}
