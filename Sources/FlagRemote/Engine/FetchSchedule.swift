public import FlagModel

/// When a source may be asked again: not before the minimum interval is over, and not while it wants to be left alone.
///
/// Pure, so that a test can let a year pass. The figures are those of a vendor's JavaScript client: after the nth failure
/// in a row 2^n seconds, give or take half, and at most four hours. A service that asks for more gets it, up to a day.
public struct FetchSchedule: Sendable, Hashable {
    /// What holds at a moment.
    public enum Verdict: Sendable, Hashable {
        /// Ask.
        case due
        /// What was fetched last is new enough.
        case fresh
        /// The source failed or refused; ask again from this moment on.
        case throttled(until: Timestamp)
    }

    /// When the source last answered; `nil` before it ever did.
    public private(set) var lastAnswer: Timestamp?
    /// How many times in a row it has failed in a way that asking less helps against.
    public private(set) var failures = 0
    /// Before this moment it is not asked.
    public private(set) var notBefore: Timestamp?

    /// More than it takes for the longest wait.
    private static let mostFailures = 64

    private static let backoff = Backoff(first: .seconds(2), longest: PollSchedule.longestWait)

    /// A schedule that goes on from an earlier run.
    ///
    /// - Parameters:
    ///   - lastAnswer: when the source last answered.
    ///   - failures: how many times in a row it had failed since then, in a way that asking less helps against.
    ///   - notBefore: before this moment it is not asked.
    public init(lastAnswer: Timestamp? = nil, failures: Int = 0, notBefore: Timestamp? = nil) {
        self.lastAnswer = lastAnswer
        self.failures = min(max(failures, 0), Self.mostFailures)
        self.notBefore = notBefore
    }

    /// Whether to ask now. Where the clock shows a time before the last answer, or long before the end of a wait, it was
    /// set back: asking once too often is better than never again.
    public func verdict(at now: Timestamp, minimumInterval: Duration) -> Verdict {
        // In the order of vendors' clients: what is new enough is not missed, so nobody need know of the throttling.
        if let lastAnswer, now >= lastAnswer, .seconds(now.seconds - lastAnswer.seconds) < minimumInterval {
            return .fresh
        }
        if let notBefore, now < notBefore, .seconds(notBefore.seconds - now.seconds) <= RetryAfter.longest {
            return .throttled(until: notBefore)
        }
        return .due
    }

    /// Notes an answer. One that came although the source wants to be left alone, as it has told it unasked or was asked
    /// before, shortens no wait.
    public mutating func answered(at now: Timestamp) {
        if case .throttled = verdict(at: now, minimumInterval: .zero) {
            lastAnswer = now
        } else {
            self = FetchSchedule(lastAnswer: now)
        }
    }

    /// Notes a failure. Only what asking less helps against delays the next question: a service that cannot be reached
    /// may be there again in a moment. While the source is left alone anyway, nothing that comes is one more failure, as
    /// nothing was asked since, or not at all; but the source may ask for more.
    ///
    /// - Parameter chance: in `0..<1`, for the share of the wait that keeps many clients apart.
    public mutating func failed(_ error: SourceError, at now: Timestamp, chance: Double) {
        guard error.code == .throttled || error.retryAfter != nil else { return }
        let asked = min(error.retryAfter ?? .zero, RetryAfter.longest)
        func moment(after wait: Duration) -> Timestamp { Timestamp(seconds: now.seconds + wait.secondsRoundedUp) }
        if case .throttled(let end) = verdict(at: now, minimumInterval: .zero) {
            notBefore = max(end, moment(after: asked))
            return
        }
        failures = min(failures + 1, Self.mostFailures)
        notBefore = moment(after: max(Self.backoff.wait(afterFailures: failures, chance: chance), asked))
    }
}
