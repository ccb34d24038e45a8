/// When a polled source is requested next. The schedule has no side effects, so that a test can simulate a day.
public struct PollSchedule: Sendable, Hashable {
    /// The pause after a response.
    public let interval: Duration
    /// How many requests in a row have failed.
    public private(set) var failures = 0

    /// The longest pause, 4 hours, as in vendors' clients.
    public static let longestWait = Duration.seconds(4 * 3_600)
    /// The minimum pause after rejected credentials, as in vendors' SDKs. Users may fix their credentials at any time.
    public static let waitAfterRejection = Duration.seconds(300)

    /// - Parameter interval: the pause after a response, limited to at least a second and at most a year.
    public init(interval: Duration) { self.interval = min(max(.seconds(1), interval), .seconds(365 * 86_400)) }

    /// Records a response; returns the pause after it.
    public mutating func responded() -> Duration {
        failures = 0
        return interval
    }

    /// Records a failure and returns the pause after it. The pause doubles with each failure, plus or minus half, and
    /// is never shorter than `Retry-After`.
    ///
    /// - Parameter random: in `0..<1`, the jitter that spreads the requests of many clients.
    public mutating func failed(_ error: SourceError, random: Double) -> Duration {
        failures += 1
        // A failure never shortens a long interval.
        let longest = max(Self.longestWait, interval)
        let backoff = Backoff(first: interval * 2, longest: longest)
        var wait = max(interval, backoff.wait(afterFailures: failures, random: random))
        if error.code == .refused { wait = max(wait, Self.waitAfterRejection) }
        return max(wait, error.retryAfter ?? .zero)
    }
}
