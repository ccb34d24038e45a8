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
        /// A token that the service has rejected, but that the file may still have.
        var rejectedToken: Secret?
        /// The request under way, which all callers share: two registrations would be two installations.
        var request: Task<Result<FirebaseInstallation, SourceError>, Never>?
    }

    private let settings: FirebaseClientSettings
    private let file: FirebaseInstallationFile?
    private let state = Mutex(State())

    init(_ settings: FirebaseClientSettings, cachedIn file: FirebaseInstallationFile?) {
        self.settings = settings
        self.file = file
    }

    /// The installation with a valid token. If a caller is cancelled, the request that it shares is cancelled too, and
    /// the others send another one.
    func installation(_ client: SourceClient) async throws(SourceError) -> FirebaseInstallation {
        while true {
            if let current = state.withLock({ $0.installation }), current.isGood(at: client.clock.now()) {
                return current
            }
            let request = sharedRequest(client)
            let result = await withTaskCancellationHandler {
                await request.value
            } onCancel: {
                request.cancel()
            }
            if request.isCancelled, !Task.isCancelled { continue }
            return try result.get()
        }
    }

    private func sharedRequest(_ client: SourceClient) -> Task<Result<FirebaseInstallation, SourceError>, Never> {
        state.withLock { state in
            if let request = state.request { return request }
            let request = Task {
                let result: Result<FirebaseInstallation, SourceError>
                do throws(SourceError) {
                    result = .success(try await self.valid(client))
                } catch {
                    result = .failure(error)
                }
                self.state.withLock { $0.request = nil }
                return result
            }
            state.request = request
            return request
        }
    }

    /// A valid installation: the one in the file or, if that is not valid, a renewed or new one.
    private func valid(_ client: SourceClient) async throws(SourceError) -> FirebaseInstallation {
        let (current, rejectedToken) = state.withLock { ($0.installation, $0.rejectedToken) }
        let isUsable = { @Sendable [now = client.clock.now] (installation: FirebaseInstallation) in
            installation.token != rejectedToken && installation.isGood(at: now())
        }
        // Another run may have registered or renewed the installation, before the request or during it.
        let saved = savedInstallation
        if let saved, isUsable(saved) { return use(saved, isSaved: true) }
        let new = try await renewed(saved ?? current, client)
        file?.store(new, of: settings.installationKey, unless: isUsable)
        let stored = savedInstallation.flatMap { isUsable($0) ? $0 : nil } ?? new
        return use(stored, isSaved: stored.token != new.token)
    }

    private var savedInstallation: FirebaseInstallation? { file?.installation(of: settings.installationKey) }

    private func use(_ installation: FirebaseInstallation, isSaved: Bool) -> FirebaseInstallation {
        state.withLock { ($0.installation, $0.isSaved) = (installation, isSaved) }
        return installation
    }

    /// Records that the service rejects the token of an installation. If the token is from the file, the service may
    /// have deleted the installation, and a renewal shows whether it has. If the token is from this run, another request
    /// does not help.
    ///
    /// - Returns: whether to retry with another token, either a new one or one that another request has already
    ///   renewed.
    func recordRejection(of installation: FirebaseInstallation) -> Bool {
        state.withLock { state in
            guard state.installation?.token == installation.token, state.rejectedToken != installation.token else {
                return true
            }
            guard state.isSaved else { return false }
            (state.rejectedToken, state.isSaved) = (installation.token, false)
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
        let response = try await client.send(request, detail: FirebaseServiceError.detail)
        // The request named no version, so 304 is an error.
        _ = try FetchResult(response, since: nil, of: settings.name)
        return response
    }
}
