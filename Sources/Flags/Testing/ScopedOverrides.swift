import FlagModel
import Synchronization

/// Values that one task and its children see, and nobody else.
enum ScopedOverrides {
    /// The values of open scopes by store; an inner scope has those of the outer ones too.
    @TaskLocal static var values: [ObjectIdentifier: [String: String]] = [:]

    /// What the scopes of this task say about a key.
    static func text(of key: String, in store: FlagStore) -> String? { values[ObjectIdentifier(store)]?[key] }

    /// A snapshot as this task sees it: what scopes say counts as launch values.
    static func applied(to snapshot: FlagSnapshot, of store: FlagStore) -> FlagSnapshot {
        guard let scoped = values[ObjectIdentifier(store)] else { return snapshot }
        var values = snapshot.values
        values.launch.merge(scoped) { _, inner in inner }
        return FlagSnapshot(values: values, remote: snapshot.remote)
    }

    fileprivate static func adding(
        _ settings: [FlagSetting], to store: FlagStore
    ) -> [ObjectIdentifier: [String: String]] {
        var values = values
        for setting in settings { values[ObjectIdentifier(store), default: [:]][setting.name] = setting.text }
        return values
    }
}

extension FlagStore {
    /// Runs an operation that sees some flags with other values. No other task does, nothing is saved, and observers are
    /// told nothing.
    ///
    /// - Parameters:
    ///   - settings: the flags and what they are to be, for example `[.set(.multipleLocations, to: true)]`.
    ///   - operation: what is to see them, with all child tasks that it starts.
    public func withOverrides<Result>(
        _ settings: [FlagSetting], operation: () throws -> Result
    ) rethrows -> Result {
        scopeCount.wrappingAdd(1, ordering: .relaxed)
        defer { scopeCount.wrappingSubtract(1, ordering: .relaxed) }
        return try ScopedOverrides.$values.withValue(
            ScopedOverrides.adding(settings, to: self), operation: operation)
    }

    /// Runs an operation that sees some flags with other values. No other task does, nothing is saved, and observers are
    /// told nothing.
    ///
    /// - Parameters:
    ///   - settings: the flags and what they are to be, for example `[.set(.multipleLocations, to: true)]`.
    ///   - isolation: where the operation runs; left out, where it is called from.
    ///   - operation: what is to see them, with all child tasks that it starts.
    public func withOverrides<Result>(
        _ settings: [FlagSetting], isolation: isolated (any Actor)? = #isolation,
        operation: () async throws -> Result
    ) async rethrows -> Result {
        scopeCount.wrappingAdd(1, ordering: .relaxed)
        defer { scopeCount.wrappingSubtract(1, ordering: .relaxed) }
        return try await ScopedOverrides.$values.withValue(
            ScopedOverrides.adding(settings, to: self), operation: operation, isolation: isolation)
    }
}
