public import FlagModel

/// When a source may be requested again: not before the minimum interval has passed, and not while it is rate limited.
///
/// The schedule has no side effects, so that a test can simulate a year. The backoff is the same as in a vendor's
/// JavaScript client: 2^n seconds after the nth failure in a row, plus or minus half, and at most four hours. A longer
/// `Retry-After` takes precedence, up to a day.
public struct FetchSchedule: Sendable, Hashable {
    /// Whether a source may be requested at a moment.
    public enum Decision: Sendable, Hashable {
        /// The source may be requested.
        case due
        /// The last response is younger than the minimum interval.
        case fresh
        /// The source is rate limited; request it again from this moment on.
        case rateLimited(until: FlagTimestamp)
    }

    /// When the source last responded; `nil` before its first response.
    public private(set) var lastResponse: FlagTimestamp?
    /// How many times in a row the source has failed with a rate limit or a `Retry-After`.
    public private(set) var failures = 0
    /// The source is not requested before this moment.
    public private(set) var notBefore: FlagTimestamp?

    /// The maximum of ``failures``, far above the number of failures that leads to the longest wait.
    private static let failureLimit = 64

    private static let backoff = Backoff(first: .seconds(2), longest: PollSchedule.longestWait)

    /// A schedule that continues the schedule of an earlier run.
    ///
    /// - Parameters:
    ///   - lastResponse: when the source last responded.
    ///   - failures: how many times in a row it has failed since, with a rate limit or a `Retry-After`.
    ///   - notBefore: the source is not requested before this moment.
    public init(lastResponse: FlagTimestamp? = nil, failures: Int = 0, notBefore: FlagTimestamp? = nil) {
        self.lastResponse = lastResponse
        self.failures = min(max(failures, 0), Self.failureLimit)
        self.notBefore = notBefore
    }

    /// Whether to request the source now. If the clock was set back to before the last response, or to long before the
    /// end of a wait, the source is due: one request too many is better than none for a very long time.
    public func decision(at now: FlagTimestamp, minimumInterval: Duration) -> Decision {
        // Freshness is checked first, as in vendors' clients: a source with a fresh response is not reported as rate
        // limited.
        if let lastResponse, now >= lastResponse, .seconds(now.seconds - lastResponse.seconds) < minimumInterval {
            return .fresh
        }
        return rateLimitEnd(at: now).map { .rateLimited(until: $0) } ?? .due
    }

    /// Until when the source is rate limited; `nil` if it is not.
    func rateLimitEnd(at now: FlagTimestamp) -> FlagTimestamp? {
        guard let notBefore, now < notBefore, .seconds(notBefore.seconds - now.seconds) <= RetryAfter.longest else {
            return nil
        }
        return notBefore
    }

    /// Records a response. A response that arrives while the source is rate limited, on a stream or to an earlier
    /// request, does not shorten the wait.
    public mutating func responded(at now: FlagTimestamp) {
        if rateLimitEnd(at: now) == nil { self = FetchSchedule() }
        lastResponse = now
    }

    /// Records a failure. Only a rate limit or a `Retry-After` delays the next request, as an unreachable service may
    /// soon be reachable again. A failure while the source is rate limited belongs to an earlier request. Such a
    /// failure is not counted, but its `Retry-After` can extend the wait.
    ///
    /// - Parameter random: in `0..<1`, the jitter that spreads the requests of many clients.
    public mutating func failed(_ error: SourceError, at now: FlagTimestamp, random: Double) {
        guard error.code == .rateLimited || error.retryAfter != nil else { return }
        let requestedWait = min(error.retryAfter ?? .zero, RetryAfter.longest)
        func moment(after wait: Duration) -> FlagTimestamp {
            FlagTimestamp(seconds: now.seconds + wait.secondsRoundedUp)
        }
        if let end = rateLimitEnd(at: now) {
            notBefore = max(end, moment(after: requestedWait))
            return
        }
        failures = min(failures + 1, Self.failureLimit)
        notBefore = moment(after: max(Self.backoff.wait(afterFailures: failures, random: random), requestedWait))
    }
}
