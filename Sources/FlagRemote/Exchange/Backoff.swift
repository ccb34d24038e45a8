/// How long to wait after failures: doubled after each further one, up to a limit. Pure: the wait is returned, not
/// slept.
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
    /// - Parameter chance: in `0..<1`, from ``SourceClock/chance``.
    package func wait(afterFailures failures: Int, chance: Double) -> Duration {
        var (wait, left) = (min(first, longest), failures)
        while left > 1, .zero < wait, wait < longest { (wait, left) = (min(longest, wait * 2), left - 1) }
        return switch jitter {
        case .half: min(longest, wait * (0.5 + chance))
        case .second: min(longest, wait + .seconds(chance))
        }
    }
}

extension Duration {
    /// In seconds, rounded up, as timestamps have whole seconds.
    package var secondsRoundedUp: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
