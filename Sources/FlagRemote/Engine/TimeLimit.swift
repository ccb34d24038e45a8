/// Waiting for a task with a time limit.
extension Task where Failure == Never {
    /// The value of the task; `nil` if it takes longer than the limit, or if the caller is cancelled. The task
    /// continues in both cases.
    ///
    /// - Parameter limit: at most a year.
    package func value(within limit: Duration = .seconds(365 * 86_400)) async -> Success? {
        let (results, first) = AsyncStream.makeStream(of: Success?.self, bufferingPolicy: .bufferingOldest(1))
        let waiting = Task<Void, Never>(executorPreference: OwnThreads.engine) { first.yield(await value) }
        let alarm = Task<Void, any Error>(executorPreference: OwnThreads.engine) {
            try await Task<Never, Never>.sleep(for: min(limit, .seconds(365 * 86_400)))
            first.yield(nil)
        }
        defer {
            waiting.cancel()
            alarm.cancel()
        }
        for await result in results { return result }
        return nil
    }
}
