import FlagModel
import Synchronization

/// Values that only one task and its children see.
final class ScopedOverrides: Sendable {
    /// The innermost open scope of this task.
    @TaskLocal static var current: ScopedOverrides?

    private let outer = current
    private let store: ObjectIdentifier
    private let values: FlagTable<FlagOverride>
    /// Whether the scope has ended. A task that was started in the scope may outlive the scope, and still inherits it.
    private let hasEnded = Atomic<Bool>(false)

    init(_ settings: [FlagSetting], of store: FlagStore) {
        self.store = ObjectIdentifier(store)
        values = FlagTable(settings.map { ($0.name, FlagOverride(value: $0.text)) }) { _, last in last }
    }

    func end() { hasEnded.store(true, ordering: .relaxed) }

    private func isOpen(for store: FlagStore) -> Bool {
        self.store == ObjectIdentifier(store) && !hasEnded.load(ordering: .relaxed)
    }

    /// The open scopes of a store in this task, the innermost first.
    static func scopes(of store: FlagStore) -> [ScopedOverrides] {
        var (scopes, next) = ([ScopedOverrides](), current)
        while let scope = next {
            if scope.isOpen(for: store) { scopes.append(scope) }
            next = scope.outer
        }
        return scopes
    }

    /// The text that this task sees instead of others; `nil` if there is none.
    static func text(of key: String, in store: FlagStore) -> String? {
        var next = current
        while let scope = next {
            if scope.isOpen(for: store), let value = scope.values[key]?.value { return value }
            next = scope.outer
        }
        return nil
    }

    /// The contents that this task sees: values of its scopes replace launch values.
    static func applied(to contents: SharedContents, of store: FlagStore) -> SharedContents {
        let values = values(scopes(of: store))
        return values.isEmpty ? contents : SharedContents(contents.value.adding(launch: values))
    }

    /// A change as an observer sees it that was started in these scopes.
    static func applied(_ scopes: [ScopedOverrides], to change: StoreChange) -> StoreChange {
        let values = values(scopes.filter { !$0.hasEnded.load(ordering: .relaxed) })
        guard !values.isEmpty else { return change }
        return StoreChange(
            change.cause, in: change.layers, from: change.old.adding(launch: values),
            to: change.new.adding(launch: values))
    }

    private static func values(_ scopes: [ScopedOverrides]) -> FlagTable<FlagOverride> {
        scopes.reduce(into: [:]) { values, scope in values.merge(scope.values) { inner, _ in inner } }
    }
}

extension FlagStore {
    /// Runs an operation in which some flags have other values. Other tasks do not see these values, nothing is saved,
    /// and observers are not notified. An observer that is started in the operation sees the values, too.
    ///
    /// - Parameters:
    ///   - settings: the flags and their values, for example `[.set(.multipleLocations, to: true)]`.
    ///   - operation: runs with these values. Its child tasks see them, too.
    public func withOverrides<Result>(
        _ settings: [FlagSetting], operation: () throws -> Result
    ) rethrows -> Result {
        let scope = open(settings)
        defer { close(scope) }
        return try ScopedOverrides.$current.withValue(scope, operation: operation)
    }

    /// Runs an operation in which some flags have other values. Other tasks do not see these values, nothing is saved,
    /// and observers are not notified. An observer that is started in the operation sees the values, too.
    ///
    /// - Parameters:
    ///   - settings: the flags and their values, for example `[.set(.multipleLocations, to: true)]`.
    ///   - isolation: where the operation runs; by default, the caller's.
    ///   - operation: runs with these values. Its child tasks see them, too.
    public func withOverrides<Result>(
        _ settings: [FlagSetting], isolation: isolated (any Actor)? = #isolation,
        operation: () async throws -> Result
    ) async rethrows -> Result {
        let scope = open(settings)
        defer { close(scope) }
        return try await ScopedOverrides.$current.withValue(scope, operation: operation, isolation: isolation)
    }

    private func open(_ settings: [FlagSetting]) -> ScopedOverrides {
        scopeCount.wrappingAdd(1, ordering: .relaxed)
        return ScopedOverrides(settings, of: self)
    }

    private func close(_ scope: ScopedOverrides) {
        scope.end()
        scopeCount.wrappingSubtract(1, ordering: .relaxed)
    }
}
