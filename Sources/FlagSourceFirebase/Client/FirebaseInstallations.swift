import FlagModel
import FlagRemote
import Synchronization

/// The installation of an app on this machine: registered when it is first needed, its token renewed before it expires.
/// With a file it is the same in every run, as with the SDK; else it lives in memory only.
final class FirebaseInstallations: Sendable {
    private struct State {
        var installation: FirebaseInstallation?
        /// Whether its token comes from the file, and the service has not accepted it yet in this run.
        var isKept = false
        /// A token from the file that the service rejected.
        var endedToken: Secret?
        /// Why there is no request before a moment.
        var obstacle: (error: SourceError, until: Timestamp)?
        var failures = 0
    }

    /// The wait after the service has rejected the app, in seconds: 24 hours, as in Firebase's clients.
    private static let waitAfterRefusal: Int64 = 24 * 3_600
    /// The wait before the one retry after the status 500, as in Firebase's clients.
    private static let waitAfterFault = Duration.seconds(1)
    /// The waits after other failures in a row, as in Firebase's clients.
    private static let backoff = Backoff(first: .seconds(2), longest: .seconds(1_800), jitter: .second)

    private let settings: FirebaseClientSettings
    private let state = Mutex(State())
    private let question = SharedQuestion<FirebaseInstallation>()
    private let file: FirebaseRecordFile

    init(_ settings: FirebaseClientSettings, keptIn file: FirebaseRecordFile) {
        self.settings = settings
        self.file = file
    }

    /// The installation with a valid token.
    func installation(_ client: SourceClient) async throws(SourceError) -> FirebaseInstallation {
        let now = client.clock.now()
        let (known, obstacle) = state.withLock { ($0.installation, $0.obstacle) }
        if let known, known.isGood(at: now) { return known }
        if let obstacle, now < obstacle.until, obstacle.until.seconds - now.seconds <= Self.waitAfterRefusal {
            throw Self.unasked(obstacle.error, obstacle.until.seconds - now.seconds)
        }
        return try await question.answer(settings.name) { () throws(SourceError) in
            try await self.ask(known, client)
        }
    }

    /// An earlier failure, with the rest of its wait.
    private static func unasked(_ error: SourceError, _ seconds: Int64) -> SourceError {
        let rest =
            switch seconds {
            case 7_200...: "\((seconds + 3_599) / 3_600) hours"
            case 120...: "\((seconds + 59) / 60) minutes"
            default: "\(seconds) s"
            }
        var unasked = error
        unasked.sentence +=
            "; not retried for another \(rest), as in Firebase's SDKs, unless a new run retries"
        return unasked
    }

    private func ask(
        _ known: FirebaseInstallation?, _ client: SourceClient
    ) async throws(SourceError) -> FirebaseInstallation {
        // Another run may have registered or renewed it since.
        let kept = kept
        if let kept, kept.isGood(at: client.clock.now()) {
            state.withLock { ($0.installation, $0.isKept) = (kept, true) }
            return kept
        }
        do throws(SourceError) {
            return agreed(try await renewed(kept ?? known, client), at: client.clock.now())
        } catch {
            if Self.isOfService(error) { note(error, client) }
            throw error
        }
    }

    /// Stores an installation that the service returned, or a new token. If another run has stored a valid one during
    /// the request, as two first runs at the same time do, this run uses that.
    private func agreed(_ own: FirebaseInstallation, at now: Timestamp) -> FirebaseInstallation {
        let ended = state.withLock { $0.endedToken }
        let others = Mutex<FirebaseInstallation?>(nil)
        file.update { record in
            if let other = record.installation, other.token != ended, other.isGood(at: now) {
                others.withLock { $0 = other }
                return false
            }
            record.installation = own
            return true
        }
        let other = others.withLock { $0 }
        state.withLock { $0 = State(installation: other ?? own, isKept: other != nil) }
        return other ?? own
    }

    /// The installation in the file; its token counts as expired if the service rejected it.
    private var kept: FirebaseInstallation? {
        guard var kept = file.content.installation else { return nil }
        if kept.token == state.withLock({ $0.endedToken }) { kept.endToken() }
        return kept
    }

    /// Records that the service rejects the token of an installation. A stored one may be of an installation that the
    /// service has forgotten, which a renewal shows; for one from this run another request does not help.
    ///
    /// - Returns: whether to use a new token, unless a concurrent request has renewed it already.
    func refused(_ installation: FirebaseInstallation) -> Bool {
        state.withLock { state in
            guard state.installation?.token == installation.token, state.endedToken != installation.token else {
                return true
            }
            guard state.isKept else { return false }
            state.endedToken = installation.token
            state.isKept = false
            state.installation?.endToken()
            return true
        }
    }

    /// The installation with a new token; a new installation if there is none, or the service has forgotten it.
    private func renewed(
        _ known: FirebaseInstallation?, _ client: SourceClient
    ) async throws(SourceError) -> FirebaseInstallation {
        guard var installation = known else { return try await registered(client) }
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
            try FirebaseInstallation(response, asking: id, now: now)
        }
    }

    private func send(_ request: SourceRequest, _ client: SourceClient) async throws(SourceError) -> SourceResponse {
        let response: SourceResponse
        do throws(SourceError) {
            response = try await client.send(request, detail: FirebaseRefusal.detail)
        } catch {
            guard error.status == 500 else { throw error }
            guard (try? await client.clock.sleep(Self.waitAfterFault)) != nil else { throw .cancelled(settings.name) }
            response = try await client.send(request, detail: FirebaseRefusal.detail)
        }
        // The request named no version, so 304 is an error.
        _ = try SourceAnswer(response, since: nil, of: settings.name)
        return response
    }

    /// Whether the service itself failed, by its last response. A lost connection does not count, as it may be back in
    /// a moment, nor does a cancelled request.
    private static func isOfService(_ error: SourceError) -> Bool { error.status != nil || error.code == .malformed }

    private func note(_ error: SourceError, _ client: SourceClient) {
        let (now, chance) = (client.clock.now(), client.clock.chance())
        state.withLock { state in
            state.failures += 1
            let wait =
                [400, 403].contains(error.status)
                ? Self.waitAfterRefusal
                : Self.backoff.wait(afterFailures: state.failures, chance: chance).secondsRoundedUp
            state.obstacle = (error, Timestamp(seconds: now.seconds + wait))
        }
    }
}
