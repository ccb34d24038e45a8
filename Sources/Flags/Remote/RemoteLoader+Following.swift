import FlagRemote

// Sources that change while the app runs.
extension RemoteLoader {
    /// Follows every source that can be followed, by the changes that it tells of and by asking it in turn, until the task
    /// is cancelled. Returns at once where there is none.
    func follow(isActivating: Bool, tell: @escaping @Sendable (OpenedRemote) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, source) in shelves.map(\.source).enumerated() {
                let follower = SourceFollower(source, clock: clock) {
                    await self.fetch(only: index, isActivating: isActivating, tell: tell)
                }
                group.addTask { await follower.follow() }
            }
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
