import Synchronization

/// Follows one source: asks it whenever it tells of a change, and in turn where it wants to be asked.
package struct LiveUpdates: Sendable {
    private let source: any RemoteSource
    private let clock: SourceClock
    private let ask: @Sendable () async -> SourceError?
    private let tell: @Sendable (SourceError?) -> Void

    /// - Parameters:
    ///   - source: what is followed.
    ///   - clock: what waits.
    ///   - tell: told why the source tells of no changes now, and `nil` once it does again.
    ///   - ask: asks the source and takes in what it says; returns why that is nothing.
    package init(
        _ source: any RemoteSource, clock: SourceClock, tell: @escaping @Sendable (SourceError?) -> Void = { _ in },
        ask: @escaping @Sendable () async -> SourceError?
    ) {
        self.tell = tell
        self.source = source
        self.clock = clock
        self.ask = ask
    }

    /// Follows until the task is cancelled. Returns at once where the source neither tells nor wants to be asked.
    package func follow() async {
        await withTaskGroup(of: Void.self) { group in
            if let hints = source.changes() { group.addTask { await listen(to: hints) } }
            if let interval = source.pollInterval { group.addTask { await poll(PollSchedule(interval: interval)) } }
        }
    }

    private func listen(to hints: AsyncStream<SourceHint>) async {
        // What is told while the source is being asked is heard meanwhile, and is one more question, however often it was
        // told: that question is put after the last change.
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let news = News()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in changes where news.isThere { await fetch(news) }
            }
            for await hint in hints {
                switch hint {
                case .connected: tell(nil)
                case .disconnected(let error): tell(error)
                case .changed:
                    news.isThere = true
                    change.yield()
                }
            }
            change.finish()
        }
    }

    /// What a service has told of is not missed because it cannot be asked just then, or wants to be left alone: right after a
    /// change it may be busy with it.
    private func fetch(_ news: News) async {
        var schedule = PollSchedule(interval: .seconds(1))
        while true {
            news.isThere = false
            guard let error = await ask(), error.retryAfter != nil || error.isTransient else { return }
            let wait = schedule.failed(error, chance: clock.chance())
            guard (try? await clock.sleep(wait)) != nil else { return }
        }
    }

    private func poll(_ schedule: PollSchedule) async {
        var schedule = schedule
        var wait = schedule.interval
        while (try? await clock.sleep(wait)) != nil {
            wait = await ask().map { schedule.failed($0, chance: clock.chance()) } ?? schedule.answered()
        }
    }
}

/// Whether a source has told of a change since it was asked last.
private final class News: Sendable {
    private let state = Mutex(false)

    var isThere: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
