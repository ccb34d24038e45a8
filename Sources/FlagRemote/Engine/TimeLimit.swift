/// A task that others wait for no longer than they like.
extension Task where Failure == Never {
    /// What the task gives within a time; `nil` when it takes longer, or when whoever waits is cancelled. It goes on then.
    ///
    /// - Parameter limit: waiting for more than a year is waiting for a year.
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
