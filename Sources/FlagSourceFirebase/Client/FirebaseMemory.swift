import FlagModel
import FlagRemote
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
        /// What realtime updates have brought, or why nothing, which nobody has fetched yet.
        var news: Result<SourceAnswer, SourceError>?
        /// Whether what earlier runs have kept is in here.
        var isLoaded = false
        /// How often in a row the service was asked in vain, by earlier runs as well: the SDKs keep their back-off, and a command
        /// asks once in a run.
        var failures = 0
        /// A template that nothing came of when it was told of.
        var idle: Int?
        /// The last failure after which the service is to be left alone, and until when.
        var restraint: (error: SourceError, until: Timestamp)?
    }

    /// The waits after failures in a row, those of the SDK for iOS.
    private static let backoff = Backoff(first: .seconds(120), longest: .seconds(14_400))

    private let state = Mutex(State())
    private let file: FirebaseRecordFile
    private let name: String

    /// - Parameter name: the source, as messages name it.
    init(keptIn file: FirebaseRecordFile, of name: String) { (self.file, self.name) = (file, name) }

    /// What is known.
    var known: Known { state.withLock { $0.known } }

    /// Notes an answer.
    ///
    /// - Parameter etag: what was asked with, which still counts where nothing has changed.
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

    /// Notes the template of values that an earlier run has kept.
    func note(templateVersion: Int) {
        state.withLock { Self.note(templateVersion, &$0) }
    }

    private static func note(_ templateVersion: Int, _ state: inout State) {
        state.known.templateVersion = max(state.known.templateVersion, templateVersion)
    }

    /// Notes that nothing came of a template that the service has told of. It may not have it yet; the second time it changes
    /// nothing for this app, and is known.
    func noteIdle(templateVersion: Int) {
        state.withLock { state in
            if state.idle == templateVersion { Self.note(templateVersion, &state) }
            state.idle = templateVersion
        }
    }

    /// Keeps an answer, or why there is none, for the next fetch.
    func keep(_ news: Result<SourceAnswer, SourceError>) { state.withLock { $0.news = news } }

    /// What was kept, once. A service that wants to be left alone may be asked again by now.
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

    /// Takes over what earlier runs have kept, once.
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

    /// Why the service is not to be asked now, with the rest of the wait; `nil` where it may be.
    func restraint(at now: Timestamp) -> SourceError? {
        load()
        guard let restraint = state.withLock({ $0.restraint }) else { return nil }
        let rest = restraint.until.seconds - now.seconds
        guard 1...RetryAfter.longest.components.seconds ~= rest else { return nil }
        var error = restraint.error
        error.retryAfter = .seconds(rest)
        return error
    }

    /// A failure with the wait after it: what the service asks for, else that of the SDK after the statuses by which the
    /// service asks for fewer questions. A connection that fails is tried again any time.
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
