import FlagModel
import FlagRemote
import Synchronization

/// What a source and its subscription know in this run.
final class FirebaseMemory: Sendable {
    /// What the service sent last.
    struct Known: Sendable {
        /// The ETag of the values.
        var etag: String?
        /// The template that they come from; 0 if there is none yet.
        var templateVersion = 0
    }

    private struct State {
        var known = Known()
        /// What realtime updates have brought, or an error, which was not fetched yet.
        var news: Result<SourceAnswer, SourceError>?
        /// Whether the state of earlier runs is loaded.
        var isLoaded = false
        /// How many requests in a row failed, in earlier runs as well: the SDKs store their backoff, and a command
        /// sends one request in a run.
        var failures = 0
        /// A reported template that brought no change.
        var idle: Int?
        /// The last failure that started a backoff, and its end.
        var restraint: (error: SourceError, until: Timestamp)?
    }

    /// The waits after failures in a row, as in the SDK for iOS.
    private static let backoff = Backoff(first: .seconds(120), longest: .seconds(14_400))

    private let state = Mutex(State())
    private let file: FirebaseRecordFile
    private let name: String

    /// - Parameter name: the source, as messages name it.
    init(keptIn file: FirebaseRecordFile, of name: String) { (self.file, self.name) = (file, name) }

    /// The last known state.
    var known: Known { state.withLock { $0.known } }

    /// Records a response.
    ///
    /// - Parameter etag: the ETag in the request, which still applies if nothing has changed.
    func note(_ answer: FirebaseFetchAnswer, known etag: String?) {
        load()
        if state.withLock({ $0.restraint != nil }) { keep(FirebaseRecord.Restraint()) }
        state.withLock { state in
            (state.failures, state.restraint) = (0, nil)
            if case .values(_, let version) = answer.answer {
                state.known.etag = version
            } else {
                state.known.etag = etag
            }
            if let number = answer.templateVersion { state.known.templateVersion = number }
        }
    }

    /// Records the template of cached values of an earlier run.
    func note(templateVersion: Int) {
        state.withLock { Self.note(templateVersion, &$0) }
    }

    private static func note(_ templateVersion: Int, _ state: inout State) {
        state.known.templateVersion = max(state.known.templateVersion, templateVersion)
    }

    /// Records that a reported template brought no change. The service may not have it yet; the second time it does not
    /// change anything for this app, and counts as known.
    func noteIdle(templateVersion: Int) {
        state.withLock { state in
            if state.idle == templateVersion { Self.note(templateVersion, &state) }
            state.idle = templateVersion
        }
    }

    /// Stores a response, or an error, for the next fetch.
    func keep(_ news: Result<SourceAnswer, SourceError>) { state.withLock { $0.news = news } }

    /// Takes out the stored response. A rate limit that has ended is dropped.
    func takeNews(at now: Timestamp) throws(SourceError) -> SourceAnswer? {
        let news = state.withLock { state in
            defer { state.news = nil }
            return state.news
        }
        if case .failure(let error)? = news, error.retryAfter != nil {
            guard let restraint = restraint(at: now) else { return nil }
            throw restraint
        }
        return try news?.get()
    }

    /// Loads the state of earlier runs, a single time.
    private func load() {
        guard !state.withLock(\.isLoaded) else { return }
        let kept = file.content.values
        state.withLock { state in
            guard !state.isLoaded else { return }
            (state.isLoaded, state.failures) = (true, kept.failures)
            state.restraint = kept.until.map { until in
                let sentence = "Firebase rate limited an earlier run; retry later"
                return (SourceError(code: .throttled, path: name, sentence: sentence), until)
            }
        }
    }

    private func keep(_ restraint: FirebaseRecord.Restraint) {
        file.update { record in
            guard record.values != restraint else { return false }
            record.values = restraint
            return true
        }
    }

    /// The error while in backoff, with the rest of the wait; `nil` if a request may be sent.
    func restraint(at now: Timestamp) -> SourceError? {
        load()
        guard let restraint = state.withLock({ $0.restraint }) else { return nil }
        let rest = restraint.until.seconds - now.seconds
        guard 1...RetryAfter.longest.components.seconds ~= rest else { return nil }
        var error = restraint.error
        error.retryAfter = .seconds(rest)
        return error
    }

    /// A failure with its backoff: the service's `Retry-After`, else that of the SDK after the statuses that call for
    /// fewer requests. A failed connection may be retried at any time.
    func throttled(_ error: SourceError, chance: Double, now: Timestamp) -> SourceError {
        load()
        var error = error
        var count = state.withLock(\.failures)
        if [429, 500, 503, 504].contains(error.status), error.retryAfter == nil {
            count += 1
            error.retryAfter = Self.wait(afterFailures: count, chance: chance)
        }
        guard let wait = error.retryAfter?.components.seconds else { return error }
        let until = Timestamp(seconds: now.seconds + wait)
        state.withLock { ($0.failures, $0.restraint) = (count, (error, until)) }
        keep(FirebaseRecord.Restraint(failures: count, until: until))
        return error
    }

    /// The wait after the nth failure in a row, in whole seconds.
    static func wait(afterFailures failures: Int, chance: Double) -> Duration {
        .seconds(backoff.wait(afterFailures: failures, chance: chance).secondsRoundedUp)
    }
}
