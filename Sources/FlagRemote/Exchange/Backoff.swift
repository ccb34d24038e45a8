/// How long to wait after failures: the wait doubles with each further failure, up to a limit. This type only computes
/// waits; callers wait.
package struct Backoff: Sendable, Hashable {
    private let first: Duration
    private let longest: Duration

    /// - Parameters:
    ///   - first: the wait after the first failure.
    ///   - longest: the longest wait.
    package init(first: Duration, longest: Duration) {
        (self.first, self.longest) = (first, longest)
    }

    /// The wait after the nth failure in a row, shortened or extended by up to half, so that many clients do not send
    /// requests at the same moment.
    ///
    /// - Parameter random: in `0..<1`, from ``SourceClock/random``.
    package func wait(afterFailures failures: Int, random: Double) -> Duration {
        var (wait, remaining) = (min(first, longest), failures)
        while remaining > 1, .zero < wait, wait < longest {
            (wait, remaining) = (min(longest, wait * 2), remaining - 1)
        }
        return min(longest, wait * (0.5 + random))
    }
}
