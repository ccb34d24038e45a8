import DeveloperMenuTerminal
import FlagModel
import FlagSourceFile
import FlagSourceSupport
import Synchronization

/// Follows services while a menu is open: by the changes that they tell of, and by asking them in turn.
struct RemoteFollower: Sendable {
    private let files: RemoteFiles
    private let sources: [KeptSource]

    /// `nil` where no source changes by itself.
    init?(_ files: RemoteFiles) {
        sources = files.sources.filter { $0.service != nil }
        guard !sources.isEmpty else { return nil }
        self.files = files
    }

    /// Follows until the closure that it returns is called.
    func start(_ following: RemotePort.Following) -> @Sendable () -> Void {
        var tasks: [Task<Void, Never>] = []
        for source in sources {
            guard let service = source.service else { continue }
            if let hints = service.changes() { tasks.append(Task { await listen(hints, to: source, following) }) }
            if let interval = service.pollInterval {
                tasks.append(Task { await poll(source, PollSchedule(interval: interval), following) })
            }
        }
        return { [tasks] in tasks.forEach { $0.cancel() } }
    }

    private func listen(
        _ hints: AsyncStream<SourceHint>, to source: KeptSource, _ following: RemotePort.Following
    ) async {
        for await hint in hints where hint == .changed { _ = await ask(source, following) }
    }

    private func poll(_ source: KeptSource, _ schedule: PollSchedule, _ following: RemotePort.Following) async {
        var schedule = schedule
        var wait = schedule.interval
        while (try? await Task.sleep(for: wait)) != nil {
            let failure = await ask(source, following)
            wait = failure.map { schedule.failed($0, chance: .random(in: 0..<1)) } ?? schedule.answered()
        }
    }

    /// Asks beside everything else, and takes the answer in turn with all others, so that none is taken in between two
    /// steps of another.
    private func ask(_ source: KeptSource, _ following: RemotePort.Following) async -> SourceError? {
        guard let asked = files.askable.first(where: { $0.source == source }) else { return nil }
        let answers = await files.services.answers([asked])
        guard !Task.isCancelled else { return nil }
        return await withCheckedContinuation { continuation in
            following.inTurn { [files] in
                let (event, failure) = files.takePoll(answers, to: asked)
                if let event { following.post(event) }
                continuation.resume(returning: failure)
            }
        }
    }
}
