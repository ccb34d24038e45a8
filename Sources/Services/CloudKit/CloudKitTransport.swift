import FlagModel
import FlagRemote

/// Wraps a transport. It signs each attempt, as a signature contains its time, and throws CloudKit's errors from
/// responses.
struct CloudKitTransport: SourceTransport {
    let base: any SourceTransport
    let settings: CloudKitSettings
    let clock: SourceClock

    func send(
        _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
    ) async throws(SourceError) -> SourceResponse {
        let request = try signed(request)
        let response = try await base.send(request, limits: limits, progress: progress)
        if let failure = CloudKitFailure(in: request.masking(response)) {
            throw failure.error(of: request.source, response, now: clock.now())
        }
        return response
    }

    func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
        try await base.open(try signed(request), limits: limits)
    }

    private func signed(_ request: SourceRequest) throws(SourceError) -> SourceRequest {
        guard case .serverKey(let key) = settings.credentials else { return request }
        return try key.sign(request, path: settings.queryPath, now: clock.now())
    }
}
