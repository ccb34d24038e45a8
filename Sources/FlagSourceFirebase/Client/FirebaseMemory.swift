import FlagSourceSupport
import Synchronization

/// What a source and who listens for it know of this run.
final class FirebaseMemory: Sendable {
    /// What the service has named last.
    struct Known: Sendable {
        /// The ETag of the values.
        var etag: String?
        /// The template that they come from; 0 before any.
        var templateVersion = 0
    }

    private struct State {
        var known = Known()
        /// What realtime updates have brought and nobody has fetched yet.
        var news: SourceAnswer?
        var failures = 0
    }

    /// The wait after the first failure, and the longest one, in seconds: those of the SDK for iOS.
    static let (firstWait, longestWait) = (120.0, 14_400.0)

    private let state = Mutex(State())

    /// What is known.
    var known: Known { state.withLock { $0.known } }

    /// Notes an answer.
    ///
    /// - Parameter etag: what was asked with, which still counts where nothing has changed.
    func note(_ answer: FirebaseFetchAnswer, known etag: String?) {
        state.withLock { state in
            state.failures = 0
            if case .values(_, let version) = answer.answer {
                state.known.etag = version
            } else {
                state.known.etag = etag
            }
            if let number = answer.templateVersion { state.known.templateVersion = number }
        }
    }

    /// Keeps an answer for the next fetch.
    func keep(_ news: SourceAnswer) { state.withLock { $0.news = news } }

    /// What was kept, once.
    func takeNews() -> SourceAnswer? {
        state.withLock { state in
            defer { state.news = nil }
            return state.news
        }
    }

    /// A failure with the wait after it: what the service asks for, else that of the SDK after the statuses by which the
    /// service asks for fewer questions. A connection that fails is tried again any time.
    func throttled(_ error: SourceError, chance: Double) -> SourceError {
        guard [429, 500, 503, 504].contains(error.status), error.retryAfter == nil else { return error }
        let failures = state.withLock { state in
            state.failures += 1
            return state.failures
        }
        var throttled = SourceError(
            code: error.code, path: error.path, sentence: error.sentence,
            retryAfter: Self.wait(afterFailures: failures, chance: chance))
        throttled.status = error.status
        return throttled
    }

    /// The wait after the nth failure in a row: twice as long each time, give or take half.
    static func wait(afterFailures failures: Int, chance: Double) -> Duration {
        let doubled = min(longestWait, firstWait * Double(1 << min(max(failures - 1, 0), 20)))
        return .seconds((min(longestWait, doubled * (0.5 + chance))).rounded(.up))
    }
}
