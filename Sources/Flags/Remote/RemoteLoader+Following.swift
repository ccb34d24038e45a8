import FlagSourceSupport

// Sources that change while the app runs.
extension RemoteLoader {
    /// Follows every source that can be followed, by the changes that it tells of and by asking it in turn, until the task
    /// is cancelled. Returns at once where there is none.
    func follow(isActivating: Bool, tell: @escaping @Sendable (OpenedRemote) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, source) in shelves.map(\.source).enumerated() {
                let ask: @Sendable () async -> SourceError? = {
                    await self.fetch(only: index, isActivating: isActivating, tell: tell)
                }
                if let hints = source.changes() { group.addTask { await self.listen(to: hints, ask) } }
                if let interval = source.pollInterval {
                    group.addTask { await self.poll(PollSchedule(interval: interval), ask) }
                }
            }
        }
    }

    private nonisolated func listen(
        to hints: AsyncStream<SourceHint>, _ ask: @Sendable () async -> SourceError?
    ) async {
        for await hint in hints where hint == .changed {
            // What a service has told of is not missed because it wants to be left alone meanwhile.
            while let wait = await ask()?.retryAfter {
                guard (try? await clock.sleep(wait)) != nil else { return }
            }
        }
    }

    private nonisolated func poll(_ schedule: PollSchedule, _ ask: @Sendable () async -> SourceError?) async {
        var schedule = schedule
        var wait = schedule.interval
        while (try? await clock.sleep(wait)) != nil {
            wait = await ask().map { schedule.failed($0, chance: clock.chance()) } ?? schedule.answered()
        }
    }

    /// Asks one source, however new its last answer is, unless it wants to be left alone; returns why it gave nothing.
    private func fetch(
        only index: Int, isActivating: Bool, tell: @escaping @Sendable (OpenedRemote) -> Void
    ) async -> SourceError? {
        // A fetch on its way may have asked before the change.
        while let running {
            guard await running.task.value() != nil else { return nil }
        }
        guard !Task.isCancelled else { return nil }
        let answers = await begin(.zero, index..<index + 1, isActivating, tell).value()
        if case .throttled(let seconds) = answers?.outcome {
            return SourceError(
                code: .throttled, path: shelves[index].source.name,
                sentence: "the service wants to be left alone for \(seconds) s more", retryAfter: .seconds(seconds))
        }
        return answers?.failures[index]
    }
}
