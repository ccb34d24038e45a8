import Synchronization

/// Live updates of one source: refreshes the source when it reports a change, and at its poll interval.
struct LiveUpdates: Sendable {
    let source: any RemoteSource
    let clock: SourceClock
    /// Called with an error when the source stops reporting changes, and with `nil` when it starts again.
    var report: @Sendable (SourceError?) -> Void = { _ in }
    /// Whether the last request to the source has failed, also if another caller sent it.
    var isFailing: @Sendable () -> Bool = { true }
    /// Requests the source and applies the response; returns the error if there is no response.
    let refresh: @Sendable () async -> SourceError?

    /// Runs until the task is cancelled. Returns immediately if the source reports no changes and is not polled.
    func followUpdates() async {
        await withTaskGroup(of: Void.self) { group in
            if let events = source.changes() { group.addTask { await listen(to: events) } }
            if let interval = source.pollInterval { group.addTask { await poll(PollSchedule(interval: interval)) } }
        }
    }

    /// The maximum number of requests per second that reported changes lead to.
    private static let requestsPerSecond = 4

    private func listen(to events: AsyncStream<LiveUpdateEvent>) async {
        // All changes that are reported during a request lead to one more request after it.
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let pending = PendingChange()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var limit = RateLimit(perSecond: Self.requestsPerSecond)
                for await _ in changes where pending.isSet {
                    await fetch(pending)
                    // Limits the requests to a service that reports changes endlessly. Reading a file costs no request.
                    if source.isCached, limit.isExceeded(adding: 1, at: clock.now()) {
                        guard (try? await clock.sleep(.seconds(1))) != nil else { return }
                    }
                }
            }
            for await event in events {
                switch event {
                case .connected: report(nil)
                case .disconnected(let error): report(error)
                case .changed:
                    pending.set()
                    change.yield()
                }
            }
            change.finish()
        }
    }

    /// Refreshes the source, and retries after failures. A service may be busy right after a change, and without
    /// retries the change would be missed. The next change of a file ends the wait: the file may be correct now.
    private func fetch(_ pending: PendingChange) async {
        var schedule = PollSchedule(interval: .seconds(1))
        while true {
            pending.clear()
            guard let error = await refresh() else { return }
            guard error.retryAfter != nil || error.isTransient || error.code == .unreadable else { return }
            let wait = schedule.failed(error, random: clock.random())
            let pause = Task(executorPreference: OwnThreads.engine) { try await clock.sleep(wait) }
            if source.identity.path != nil { pending.end(pause) }
            let hasPaused = await withTaskCancellationHandler {
                (try? await pause.value) != nil
            } onCancel: {
                pause.cancel()
            }
            guard hasPaused else { return }
        }
    }

    private func poll(_ schedule: PollSchedule) async {
        var schedule = schedule
        var wait = schedule.interval
        while await pause(wait, &schedule) {
            wait = await refresh().map { schedule.failed($0, random: clock.random()) } ?? schedule.responded()
        }
    }

    /// How often a long pause after failures is interrupted, to see whether the source responds again.
    private static let checkInterval = Duration.seconds(60)

    /// Waits. A pause after failures ends early if another request has succeeded meanwhile, such as one that a user sent
    /// after fixing a credential; the source is then polled at its interval again.
    ///
    /// - Returns: `false` if the task was cancelled.
    private func pause(_ wait: Duration, _ schedule: inout PollSchedule) async -> Bool {
        var remaining = wait
        while remaining > .zero {
            let step = schedule.failures > 0 ? min(remaining, max(Self.checkInterval, schedule.interval)) : remaining
            guard (try? await clock.sleep(step)) != nil else { return false }
            remaining -= step
            if schedule.failures > 0, remaining > .zero, !isFailing() { remaining = schedule.responded() }
        }
        return true
    }
}

/// Whether a source has reported a change since its last request.
private final class PendingChange: Sendable {
    private let state = Mutex<(isSet: Bool, pause: Task<Void, any Error>?)>((false, nil))

    var isSet: Bool { state.withLock { $0.isSet } }

    func set() {
        state.withLock {
            $0.isSet = true
            $0.pause?.cancel()
        }
    }

    func clear() { state.withLock { $0 = (false, nil) } }

    /// Cancels a pause when a change is reported, or now if one was.
    func end(_ pause: Task<Void, any Error>) {
        state.withLock {
            $0.pause = pause
            if $0.isSet { pause.cancel() }
        }
    }
}
