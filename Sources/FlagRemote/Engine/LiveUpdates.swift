import Synchronization

/// Live updates of one source: refreshes it when it reports a change, and at its poll interval.
package struct LiveUpdates: Sendable {
    private let source: any RemoteSource
    private let clock: SourceClock
    private let refresh: @Sendable () async -> SourceError?
    private let report: @Sendable (SourceError?) -> Void

    /// - Parameters:
    ///   - source: the source to follow.
    ///   - clock: time, for waits.
    ///   - report: called with the reason when the source stops reporting changes, and with `nil` once it does again.
    ///   - refresh: requests the source and takes over its response; returns the error if there is no response.
    package init(
        _ source: any RemoteSource, clock: SourceClock, report: @escaping @Sendable (SourceError?) -> Void = { _ in },
        refresh: @escaping @Sendable () async -> SourceError?
    ) {
        self.report = report
        self.source = source
        self.clock = clock
        self.refresh = refresh
    }

    /// Runs until the task is cancelled. Returns at once if the source reports no changes and is not polled.
    package func follow() async {
        await withTaskGroup(of: Void.self) { group in
            if let hints = source.changes() { group.addTask { await listen(to: hints) } }
            if let interval = source.pollInterval { group.addTask { await poll(PollSchedule(interval: interval)) } }
        }
    }

    /// How often a service is requested for the changes it reports.
    private static let requestsPerSecond = 4

    private func listen(to hints: AsyncStream<SourceHint>) async {
        // Changes that are reported during a request lead to one more request, however many they are, after the last of
        // them.
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let pending = PendingChange()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var limit = RateLimit(perSecond: Self.requestsPerSecond)
                for await _ in changes where pending.isThere {
                    await fetch(pending)
                    // Limits the requests to a service that reports changes endlessly. Reading a file costs no request.
                    if source.isCached, limit.isExceeded(adding: 1, at: clock.now()) {
                        guard (try? await clock.sleep(.seconds(1))) != nil else { return }
                    }
                }
            }
            for await hint in hints {
                switch hint {
                case .connected: report(nil)
                case .disconnected(let error): report(error)
                case .changed:
                    pending.isThere = true
                    change.yield()
                }
            }
            change.finish()
        }
    }

    /// Retries, so that a change is not missed because the service is unreachable or rate limited at that time: right
    /// after a change it may be busy with it.
    private func fetch(_ pending: PendingChange) async {
        var schedule = PollSchedule(interval: .seconds(1))
        while true {
            pending.isThere = false
            guard let error = await refresh(), error.retryAfter != nil || error.isTransient else { return }
            let wait = schedule.failed(error, chance: clock.chance())
            guard (try? await clock.sleep(wait)) != nil else { return }
        }
    }

    private func poll(_ schedule: PollSchedule) async {
        var schedule = schedule
        var wait = schedule.interval
        while (try? await clock.sleep(wait)) != nil {
            wait = await refresh().map { schedule.failed($0, chance: clock.chance()) } ?? schedule.responded()
        }
    }
}

/// Whether a source has reported a change since its last request.
private final class PendingChange: Sendable {
    private let state = Mutex(false)

    var isThere: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
