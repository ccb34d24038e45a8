import FlagModel
import FlagRemote
import Synchronization

/// The installation of an app on this machine. The installation is registered when it is first needed, and its token is
/// renewed before the token expires. With a file the installation is the same in every run, as with the SDK; without a
/// file each run registers a new one.
final class FirebaseInstallations: Sendable {
    private struct State {
        var installation: FirebaseInstallation?
        /// Whether the installation's token is from the file, and was not renewed in this run.
        var isSaved = false
        /// A token from the file that the service rejected.
        var rejectedToken: Secret?
        /// The last failure, and until when it blocks further requests.
        var blocker: (error: SourceError, until: FlagTimestamp)?
        var failures = 0
    }

    /// The wait after the service has rejected the app, in seconds: 24 hours, as in Firebase's clients.
    private static let waitAfterRejection: Int64 = 24 * 3_600
    /// The wait before the only retry after the status 500, as in Firebase's clients.
    private static let waitAfterFault = Duration.seconds(1)
    /// The waits after other failures in a row, as in Firebase's clients.
    private static let backoff = Backoff(first: .seconds(2), longest: .seconds(1_800), jitter: .second)

    private let settings: FirebaseClientSettings
    private let state = Mutex(State())
    private let singleFlight = SingleFlight<FirebaseInstallation>()
    private let file: FirebaseRecordFile

    init(_ settings: FirebaseClientSettings, cachedIn file: FirebaseRecordFile) {
        self.settings = settings
        self.file = file
    }

    /// The installation with a valid token.
    func installation(_ client: SourceClient) async throws(SourceError) -> FirebaseInstallation {
        let now = client.clock.now()
        let (current, blocker) = state.withLock { ($0.installation, $0.blocker) }
        if let current, current.isGood(at: now) { return current }
        if let blocker, now < blocker.until, blocker.until.seconds - now.seconds <= Self.waitAfterRejection {
            throw Self.blockedError(blocker.error, blocker.until.seconds - now.seconds)
        }
        return try await singleFlight.value(settings.name) { () throws(SourceError) in
            try await self.register(current, client)
        }
    }

    /// The error for a request that is not sent because an earlier one failed.
    ///
    /// - Parameter seconds: the remaining wait.
    private static func blockedError(_ error: SourceError, _ seconds: Int64) -> SourceError {
        let wait =
            switch seconds {
            case 7_200...: "\((seconds + 3_599) / 3_600) hours"
            case 120...: "\((seconds + 59) / 60) minutes"
            default: "\(seconds) s"
            }
        var result = error
        result.sentence +=
            "; not retried for another \(wait), as in Firebase's SDKs; a restart retries now"
        return result
    }

    /// A valid installation: the one in the file or, if that is not valid, a renewed or new one.
    private func register(
        _ current: FirebaseInstallation?, _ client: SourceClient
    ) async throws(SourceError) -> FirebaseInstallation {
        // Meanwhile another run may have registered or renewed the installation.
        let saved = saved
        if let saved, saved.isGood(at: client.clock.now()) {
            state.withLock { ($0.installation, $0.isSaved) = (saved, true) }
            return saved
        }
        do throws(SourceError) {
            return stored(try await renewed(saved ?? current, client), at: client.clock.now())
        } catch {
            if Self.isServiceFailure(error) { record(error, client) }
            throw error
        }
    }

    /// Stores a new or renewed installation. During the request another run may have stored a valid installation, such
    /// as when two first runs start at the same time. This run then uses the other run's installation.
    ///
    /// - Returns: the installation to use.
    private func stored(_ installation: FirebaseInstallation, at now: FlagTimestamp) -> FirebaseInstallation {
        let rejected = state.withLock { $0.rejectedToken }
        let otherInstallation = Mutex<FirebaseInstallation?>(nil)
        file.update { record in
            if let other = record.installation, other.token != rejected, other.isGood(at: now) {
                otherInstallation.withLock { $0 = other }
                return false
            }
            record.installation = installation
            return true
        }
        let other = otherInstallation.withLock { $0 }
        state.withLock { $0 = State(installation: other ?? installation, isSaved: other != nil) }
        return other ?? installation
    }

    /// The installation in the file. Its token counts as expired if the service rejected the token.
    private var saved: FirebaseInstallation? {
        guard var saved = file.content.installation else { return nil }
        if saved.token == state.withLock({ $0.rejectedToken }) { saved.expireToken() }
        return saved
    }

    /// Records that the service rejects the token of an installation. If the token is from the file, the service may
    /// have deleted the installation, and a renewal will show whether it has. If the token is from this run, another
    /// request does not help.
    ///
    /// - Returns: whether to retry with another token, either a new one or one that another request has already
    ///   renewed.
    func recordRejection(of installation: FirebaseInstallation) -> Bool {
        state.withLock { state in
            guard state.installation?.token == installation.token, state.rejectedToken != installation.token else {
                return true
            }
            guard state.isSaved else { return false }
            state.rejectedToken = installation.token
            state.isSaved = false
            state.installation?.expireToken()
            return true
        }
    }

    /// The installation with a new token; a new installation if there was none, or the service has deleted it.
    private func renewed(
        _ current: FirebaseInstallation?, _ client: SourceClient
    ) async throws(SourceError) -> FirebaseInstallation {
        guard var installation = current else { return try await registered(client) }
        do throws(SourceError) {
            let response = try await send(settings.renewal(of: installation), client)
            let now = client.clock.now()
            try SourceError.reading(settings.name) { () throws(DocumentError) in
                try installation.renew(response, now: now)
            }
            return installation
        } catch {
            guard error.status == 401 || error.status == 404 else { throw error }
            state.withLock { $0.installation = nil }
            return try await registered(client)
        }
    }

    private func registered(_ client: SourceClient) async throws(SourceError) -> FirebaseInstallation {
        let id = FirebaseInstallation.newID()
        let response = try await send(settings.registration(of: id), client)
        let now = client.clock.now()
        return try SourceError.reading(settings.name) { () throws(DocumentError) in
            try FirebaseInstallation(response, requested: id, now: now)
        }
    }

    private func send(_ request: SourceRequest, _ client: SourceClient) async throws(SourceError) -> SourceResponse {
        let response: SourceResponse
        do throws(SourceError) {
            response = try await client.send(request, detail: FirebaseServiceError.detail)
        } catch {
            guard error.status == 500 else { throw error }
            guard (try? await client.clock.sleep(Self.waitAfterFault)) != nil else { throw .cancelled(settings.name) }
            response = try await client.send(request, detail: FirebaseServiceError.detail)
        }
        // The request named no version, so 304 is an error.
        _ = try FetchResult(response, since: nil, of: settings.name)
        return response
    }

    /// Whether the service responded with an error. A lost connection does not count, as the service may soon be
    /// reachable again. A cancelled request does not count either.
    private static func isServiceFailure(_ error: SourceError) -> Bool {
        error.status != nil || error.code == .malformed
    }

    private func record(_ error: SourceError, _ client: SourceClient) {
        let (now, random) = (client.clock.now(), client.clock.random())
        state.withLock { state in
            state.failures += 1
            let wait =
                [400, 403].contains(error.status)
                ? Self.waitAfterRejection
                : Self.backoff.wait(afterFailures: state.failures, random: random).secondsRoundedUp
            state.blocker = (error, FlagTimestamp(seconds: now.seconds + wait))
        }
    }
}
