/// Whether a failed request is retried within one fetch, and after which wait.
///
/// ``FetchSchedule`` and ``PollSchedule`` handle failures that last longer.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of requests, including the first.
    public let attempts: Int

    /// The maximum wait. If a service requests a longer wait, the request is not retried.
    private static let longestWait = Duration.seconds(5)
    private static let backoff = Backoff(first: .milliseconds(500), longest: longestWait)

    /// A policy.
    public init(attempts: Int = 3) { self.attempts = attempts }

    /// Three requests, about half a second and a second apart.
    public static let standard = RetryPolicy()
    /// One request.
    public static let none = RetryPolicy(attempts: 1)

    /// How long to wait before the next request; `nil` for no retry.
    ///
    /// - Parameters:
    ///   - error: why the last request failed.
    ///   - attempt: how many requests were sent, 1 after the first.
    ///   - random: in `0..<1`, the jitter that spreads the requests of many clients: the wait is multiplied by 0.5 to
    ///     1.5.
    public func wait(after error: SourceError, attempt: Int, random: Double) -> Duration? {
        // After a timeout no time is left, and a malformed response would be malformed again.
        guard attempt < attempts, error.isTransient, ![.timedOut, .malformed].contains(error.code) else { return nil }
        if let wait = error.retryAfter { return wait <= Self.longestWait ? wait : nil }
        guard error.code != .rateLimited else { return nil }
        return Self.backoff.wait(afterFailures: attempt, random: random)
    }
}
