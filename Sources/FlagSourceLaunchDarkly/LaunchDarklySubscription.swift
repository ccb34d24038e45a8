import FlagRemote

/// Subscribes to the stream of an environment and reports changes.
struct LaunchDarklySubscription: Sendable {
    let settings: LaunchDarklySettings
    let client: SourceClient
    let memory: LaunchDarklyMemory
    let updates: AsyncStream<LiveUpdateEvent>.Continuation

    /// Runs until the task is cancelled, or the service rejects the subscription permanently.
    func run() async {
        if settings.usesReport, memory.mayReport {
            await listen(isReport: true)
            guard !memory.mayReport else { return }
        }
        await listen(isReport: false)
    }

    private func listen(isReport: Bool) async {
        await EventFeed(client, settings.streamRequest(isReport: isReport)).run { update in
            switch update {
            // An event with all flags, or a ping, follows immediately, so there is no need to fetch here.
            case .opened: updates.yield(.connected)
            case .event(let event): if memory.handle(event) { updates.yield(.changed) }
            case .lost(let error, _):
                memory.forgetStream()
                if isReport, LaunchDarklySettings.isUnknownMethod(error) {
                    memory.recordReportRejection()
                    return false
                }
                updates.yield(.disconnected(error))
                return !Self.isPermanent(error)
            }
            return true
        }
    }

    /// Whether an error is permanent, as in the SDKs: the key, the URL or the request is wrong. Only polling continues
    /// then.
    private static func isPermanent(_ error: SourceError) -> Bool {
        guard let status = error.status else { return false }
        return 400...499 ~= status && ![400, 408, 429].contains(status)
    }
}
