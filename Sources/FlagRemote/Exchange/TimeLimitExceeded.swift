/// The error that a time limit was exceeded.
package struct TimeLimitExceeded: Error {}

/// Runs an operation, and cancels it if it takes longer than a limit.
///
/// - Parameter failure: converts the error of the operation or, after the limit, ``TimeLimitExceeded``.
package func within<Value: Sendable>(
    _ limit: Duration, failure: (any Error) -> SourceError, _ work: @escaping @Sendable () async throws -> Value
) async throws(SourceError) -> Value {
    do {
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw TimeLimitExceeded()
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    } catch {
        throw failure(error)
    }
}
