import FlagModel
import FlagRemote
import Synchronization

/// The state that a source and its subscription share in a run.
final class FirebaseMemory: Sendable {
    /// The version of the last received values.
    struct Known: Sendable {
        /// The ETag of the values.
        var etag: String?
        /// The version of the template that the values are from; 0 before there are any.
        var templateVersion = 0
    }

    private struct State {
        var known = Known()
        /// A response to a realtime update, or an error; `nil` after a fetch has returned or thrown it.
        var updates: Result<FetchResult, SourceError>?
        /// How many requests in a row failed.
        var failures = 0
        /// The version of a reported template that the service did not return.
        var missingVersion: Int?
        /// The last failure that started a backoff, and its end.
        var rateLimit: (error: SourceError, until: FlagTimestamp)?
    }

    /// The waits after failures in a row, as in the SDK for iOS.
    private static let backoff = Backoff(first: .seconds(120), longest: .seconds(14_400))

    private let state = Mutex(State())

    /// The version of the last received values.
    var known: Known { state.withLock { $0.known } }

    /// Records a response.
    ///
    /// - Parameter etag: the ETag in the request, which is also the ETag of the values if they have not changed.
    func record(_ response: FirebaseFetchResponse, known etag: String?) {
        state.withLock { state in
            (state.failures, state.rateLimit) = (0, nil)
            if case .values(_, let version) = response.result {
                state.known.etag = version
            } else {
                state.known.etag = etag
            }
            if let number = response.templateVersion { state.known.templateVersion = number }
        }
    }

    /// Records the template version of values that an earlier run has cached.
    func record(templateVersion: Int) {
        state.withLock { Self.record(templateVersion, &$0) }
    }

    private static func record(_ templateVersion: Int, _ state: inout State) {
        state.known.templateVersion = max(state.known.templateVersion, templateVersion)
    }

    /// Records that the service did not return a reported template: it may not have the template yet, or the template
    /// changes no values. The second time the template counts as known.
    func recordMissing(templateVersion: Int) {
        state.withLock { state in
            if state.missingVersion == templateVersion { Self.record(templateVersion, &state) }
            state.missingVersion = templateVersion
        }
    }

    /// Stores a response, or an error, for the next fetch.
    func store(_ updates: Result<FetchResult, SourceError>) { state.withLock { $0.updates = updates } }

    /// Removes the stored response or error, and returns or throws it; `nil` if there is none, or its rate limit has
    /// ended.
    func readPendingUpdate(at now: FlagTimestamp) throws(SourceError) -> FetchResult? {
        let updates = state.withLock { state in
            defer { state.updates = nil }
            return state.updates
        }
        if case .failure(let error)? = updates, error.retryAfter != nil {
            guard let rateLimit = rateLimit(at: now) else { return nil }
            throw rateLimit
        }
        return try updates?.get()
    }

    /// The error of a request during a backoff, with the remaining wait; `nil` if a request may be sent.
    func rateLimit(at now: FlagTimestamp) -> SourceError? {
        guard let rateLimit = state.withLock({ $0.rateLimit }) else { return nil }
        let wait = rateLimit.until.seconds - now.seconds
        guard 1...RetryAfter.longest.components.seconds ~= wait else { return nil }
        var error = rateLimit.error
        error.retryAfter = .seconds(wait)
        return error
    }

    /// Adds a wait to a failure, and records the failure. The wait is the service's `Retry-After` or, after a status
    /// that means overload, the backoff of the SDK. After a failed connection there is no wait.
    func rateLimited(_ error: SourceError, random: Double, now: FlagTimestamp) -> SourceError {
        state.withLock { state in
            var error = error
            if [429, 500, 503, 504].contains(error.status), error.retryAfter == nil {
                state.failures += 1
                error.retryAfter = Self.wait(afterFailures: state.failures, random: random)
            }
            if let wait = error.retryAfter?.components.seconds {
                state.rateLimit = (error, FlagTimestamp(seconds: now.seconds + wait))
            }
            return error
        }
    }

    /// The wait after the nth failure in a row, in whole seconds.
    static func wait(afterFailures failures: Int, random: Double) -> Duration {
        .seconds(backoff.wait(afterFailures: failures, random: random).secondsRoundedUp)
    }
}
