/// Whether a failed question is asked again at once, within one fetch. Pure: the wait is answered, not waited for.
///
/// What lasts longer is the business of ``FetchSchedule`` and ``PollSchedule``.
public struct RetryPolicy: Sendable, Hashable {
    /// How often a service is asked in all.
    public let attempts: Int
    /// The wait before the second question; each further one is twice as long.
    public let firstWait: Duration
    /// No wait is longer, and a service that asks for more is not asked again.
    public let longestWait: Duration

    /// A policy.
    public init(attempts: Int = 3, firstWait: Duration = .milliseconds(500), longestWait: Duration = .seconds(5)) {
        self.attempts = attempts
        self.firstWait = firstWait
        self.longestWait = longestWait
    }

    /// Three questions, about half a second and a second apart.
    public static let standard = RetryPolicy()
    /// One question.
    public static let none = RetryPolicy(attempts: 1)

    /// How long to wait before the next question; `nil` where another one is of no use.
    ///
    /// - Parameters:
    ///   - error: why the last one failed.
    ///   - attempt: how often was asked, 1 after the first question.
    ///   - chance: in `0..<1`, for the share of the wait that keeps many clients apart: half of it to one and a half.
    public func wait(after error: SourceError, attempt: Int, chance: Double) -> Duration? {
        // A service that did not answer in time has had all the time there is, and one that answers nonsense says it again.
        guard attempt < attempts, error.isTransient, ![.timedOut, .malformed].contains(error.code) else { return nil }
        if let asked = error.retryAfter { return asked <= longestWait ? asked : nil }
        guard error.code != .throttled else { return nil }
        return Backoff(first: firstWait, longest: longestWait).wait(afterFailures: attempt, chance: chance)
    }
}
