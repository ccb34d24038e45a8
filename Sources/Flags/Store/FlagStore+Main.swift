import FlagModel
import Logging
import Synchronization

extension FlagStore {
    private static let mainStore = Mutex<FlagStore?>(nil)
    // Without the app's log handler, because a log handler may read a flag.
    private static let fallback = FlagStore.inMemory(
        [], logger: Logger(label: "flags") { _ in SwiftLogNoOpLogHandler() })

    /// The store that ``Flag`` reads by default. Until the app sets a store, every flag has its default.
    public static var main: FlagStore {
        get { mainStore.withLock { $0 } ?? fallback }
        set {
            let old = mainStore.withLock { store in
                defer { store = newValue }
                return store
            }
            // Released outside the lock, because the store may have the last reference to objects of the app.
            withExtendedLifetime(old) {}
        }
    }
}

/// A property that reads a flag each time the property is read:
///
/// ```swift
/// @Flag(.multipleLocations) var hasMultipleLocations
/// ```
@propertyWrapper
public struct Flag<Value: Sendable>: Sendable {
    private let key: FlagKey<Value>
    private let store: FlagStore?

    /// A flag of a store, by default ``FlagStore/main``.
    public init(_ key: FlagKey<Value>, in store: FlagStore? = nil) {
        (self.key, self.store) = (key, store)
    }

    /// The current effective value.
    public var wrappedValue: Value { (store ?? .main)[key] }

    /// The key, for observing and explaining: `flags.changes(of: $hasMultipleLocations)`.
    public var projectedValue: FlagKey<Value> { key }
}
