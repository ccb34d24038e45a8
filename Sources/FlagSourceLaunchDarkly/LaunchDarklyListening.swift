import FlagRemote

/// Subscribes to the stream of an environment and reports changes.
struct LaunchDarklyListening: Sendable {
    let settings: LaunchDarklySettings
    let client: SourceClient
    let memory: LaunchDarklyMemory
    let news: AsyncStream<SourceHint>.Continuation

    /// Runs until the task is cancelled, or the service rejects it for good.
    func run() async {
        if settings.usesReport, memory.mayReport {
            await listen(isReport: true)
            guard !memory.mayReport else { return }
        }
        await listen(isReport: false)
    }

    private func listen(isReport: Bool) async {
        await EventFeed(client, settings.streamRequest(isReport: isReport)).run { happened in
            switch happened {
            // The flags follow at once, or a ping.
            case .opened: news.yield(.connected)
            case .event(let event): if memory.take(event) { news.yield(.changed) }
            case .lost(let error, _):
                memory.forgetStream()
                if isReport, LaunchDarklySettings.isUnknownMethod(error) {
                    memory.noteReportRefused()
                    return false
                }
                news.yield(.disconnected(error))
                return !Self.isForGood(error)
            }
            return true
        }
    }

    /// Whether the SDKs would not reconnect: keys, URLs and requests do not fix themselves. Polling continues.
    private static func isForGood(_ error: SourceError) -> Bool {
        guard let status = error.status else { return false }
        return 400...499 ~= status && ![400, 408, 429].contains(status)
    }
}
