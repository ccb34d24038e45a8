import FlagModel
import Synchronization

/// Values that only one task and its children see.
final class ScopedOverrides: Sendable {
    /// The open scopes of this task, the innermost last.
    @TaskLocal static var scopes: [ScopedOverrides] = []

    private let store: ObjectIdentifier
    private let values: FlagTable<FlagOverride>
    /// Whether the scope has ended. A task that was started in the scope may outlive the scope, and still inherits it.
    private let hasEnded = Atomic<Bool>(false)

    init(_ settings: [FlagSetting], of store: FlagStore) {
        self.store = ObjectIdentifier(store)
        values = FlagTable(settings.map { ($0.name, FlagOverride(value: $0.text)) }) { _, last in last }
    }

    func end() { hasEnded.store(true, ordering: .relaxed) }

    private func isActive(for store: FlagStore) -> Bool {
        self.store == ObjectIdentifier(store) && !hasEnded.load(ordering: .relaxed)
    }

    /// Whether the scopes of this task have a text for a key.
    static func hasText(of key: String, in store: FlagStore) -> Bool {
        scopes.contains { $0.isActive(for: store) && $0.values[key] != nil }
    }

    /// The snapshot that this task sees: values of its scopes replace launch values.
    static func applied(to snapshot: FlagSnapshot, of store: FlagStore) -> FlagSnapshot {
        let scopes = scopes.filter { $0.isActive(for: store) }
        guard !scopes.isEmpty else { return snapshot }
        var values = snapshot.values
        for scope in scopes { values[.launch].overrides.merge(scope.values) { _, inner in inner } }
        return FlagSnapshot(values: values, remote: snapshot.remote, onRejection: snapshot.onRejection)
    }
}

extension FlagStore {
    /// Runs an operation in which some flags have other values. Other tasks do not see these values, nothing is saved,
    /// and observers are not notified.
    ///
    /// - Parameters:
    ///   - settings: the flags and their values, for example `[.set(.multipleLocations, to: true)]`.
    ///   - operation: runs with these values. Its child tasks see them, too.
    public func withOverrides<Result>(
        _ settings: [FlagSetting], operation: () throws -> Result
    ) rethrows -> Result {
        let scope = open(settings)
        defer { close(scope) }
        return try ScopedOverrides.$scopes.withValue(ScopedOverrides.scopes + [scope], operation: operation)
    }

    /// Runs an operation in which some flags have other values. Other tasks do not see these values, nothing is saved,
    /// and observers are not notified.
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
        return try await ScopedOverrides.$scopes.withValue(
            ScopedOverrides.scopes + [scope], operation: operation, isolation: isolation)
    }

    private func open(_ settings: [FlagSetting]) -> ScopedOverrides {
        slowReadCount.wrappingAdd(1, ordering: .relaxed)
        return ScopedOverrides(settings, of: self)
    }

    private func close(_ scope: ScopedOverrides) {
        scope.end()
        slowReadCount.wrappingSubtract(1, ordering: .relaxed)
    }
}
