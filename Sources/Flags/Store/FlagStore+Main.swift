import FlagModel
import Logging
import Synchronization

extension FlagStore {
    private static let mainStore = Atomic<Unmanaged<FlagStore>?>(nil)
    // Without the app's log handler, because a log handler may read a flag.
    private static let fallback = FlagStore.inMemory(
        [], logger: Logger(label: "flags") { _ in SwiftLogNoOpLogHandler() })

    /// The store that ``Flag`` reads by default. Until the app sets a store, every flag has its default. A store that was
    /// set lives as long as the process, so that reading needs no lock.
    public static var main: FlagStore {
        get { unmanagedMain.takeUnretainedValue() }
        set { mainStore.store(.passRetained(newValue), ordering: .releasing) }
    }

    @usableFromInline static var unmanagedMain: Unmanaged<FlagStore> {
        mainStore.load(ordering: .acquiring) ?? .passUnretained(fallback)
    }
}

/// A property wrapper that reads a flag each time the property is read, from ``FlagStore/main`` or the store it is given:
///
/// ```swift
/// struct Checkout {
///     @Flag(.multipleLocations) var hasMultipleLocations
/// }
/// ```
///
/// In a class, and in SwiftUI's views, observers of the property notice changes of the flag, as with ``ObservableFlags``.
/// A model that is `@Observable` needs `@ObservationIgnored @Flag(.multipleLocations) var hasMultipleLocations`. A class
/// that is `Sendable` has a constant, `let hasMultipleLocations = Flag(.multipleLocations)`, and calls it:
/// `hasMultipleLocations()`.
@propertyWrapper
public struct Flag<Value: FlagValue>: Sendable {
    @usableFromInline let key: FlagKey<Value>
    private let store: FlagStore?
    /// The same store. Reading it does not count references, which takes longer than reading the flag.
    @usableFromInline let unmanaged: Unmanaged<FlagStore>?

    /// A flag of a store, by default ``FlagStore/main``.
    public init(_ key: FlagKey<Value>, in store: FlagStore? = nil) {
        (self.key, self.store) = (key, store)
        unmanaged = store.map(Unmanaged.passUnretained)
    }

    /// The current effective value.
    @inlinable public var wrappedValue: Value {
        #if canImport(SwiftUI)
        // A view is a structure, and is drawn again if what it has read changes.
        observedValue
        #else
        (unmanaged ?? FlagStore.unmanagedMain)._withUnsafeGuaranteedRef { $0[key] }
        #endif
    }

    /// The current effective value, as the property of a class.
    public static subscript<Owner: AnyObject>(
        _enclosingInstance owner: Owner, wrapped property: KeyPath<Owner, Value>,
        storage storage: KeyPath<Owner, Flag<Value>>
    ) -> Value { owner[keyPath: storage].observedValue }

    /// The key, for observing and explaining: `flags.changes(of: $hasMultipleLocations)`.
    public var projectedValue: FlagKey<Value> { key }

    /// The current effective value.
    public func callAsFunction() -> Value { observedValue }

    /// The current effective value, which observers track.
    @usableFromInline var observedValue: Value {
        let store = store ?? .main
        store.track(key)
        return store[key]
    }
}
