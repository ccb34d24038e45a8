/// Waiting for a task with a time limit.
extension Task where Failure == Never {
    /// The value of the task; `nil` if it takes longer than the limit, or if the caller is cancelled. The task
    /// continues in both cases.
    ///
    /// - Parameter limit: at most a year.
    package func value(within limit: Duration = .seconds(365 * 86_400)) async -> Success? {
        let (results, continuation) = AsyncStream.makeStream(of: Success?.self, bufferingPolicy: .bufferingOldest(1))
        let waiting = Task<Void, Never>(executorPreference: OwnThreads.engine) { continuation.yield(await value) }
        let timeout = Task<Void, any Error>(executorPreference: OwnThreads.engine) {
            try await Task<Never, Never>.sleep(for: min(limit, .seconds(365 * 86_400)))
            continuation.yield(nil)
        }
        defer {
            waiting.cancel()
            timeout.cancel()
        }
        for await result in results { return result }
        return nil
    }
}
