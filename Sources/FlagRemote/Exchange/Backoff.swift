/// How long to wait after failures: the wait doubles with each further failure, up to a limit. This type only computes
/// waits; callers wait.
package struct Backoff: Sendable, Hashable {
    /// How a wait is randomized, so that many clients do not send requests at the same moment.
    package enum Jitter: Sendable {
        /// Shortens or extends the wait by up to half.
        case half
        /// Adds up to a second.
        case second
    }

    private let first: Duration
    private let longest: Duration
    private let jitter: Jitter

    /// - Parameters:
    ///   - first: the wait after the first failure.
    ///   - longest: the longest wait.
    package init(first: Duration, longest: Duration, jitter: Jitter = .half) {
        self.first = first
        self.longest = longest
        self.jitter = jitter
    }

    /// The wait after the nth failure in a row.
    ///
    /// - Parameter random: in `0..<1`, from ``SourceClock/random``.
    package func wait(afterFailures failures: Int, random: Double) -> Duration {
        var (wait, remaining) = (min(first, longest), failures)
        while remaining > 1, .zero < wait, wait < longest {
            (wait, remaining) = (min(longest, wait * 2), remaining - 1)
        }
        return switch jitter {
        case .half: min(longest, wait * (0.5 + random))
        case .second: min(longest, wait + .seconds(random))
        }
    }
}
