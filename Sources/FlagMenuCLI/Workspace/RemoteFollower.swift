import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagSourceFile
import Synchronization

/// Follows services while a menu is open: by the changes that they tell of, and by asking them in turn.
struct RemoteFollower: Sendable {
    private let files: RemoteFiles
    /// The services, with their places among all sources.
    private let sources: [(place: Int, source: KeptSource)]

    /// `nil` where no source changes by itself.
    init?(_ files: RemoteFiles) {
        sources = files.sources.enumerated().filter { $0.element.service != nil }.map { ($0.offset, $0.element) }
        guard !sources.isEmpty else { return nil }
        self.files = files
    }

    /// Follows until the closure that it returns is called. What hindered sources that were followed before, such as those for
    /// another context, is not so of these.
    func start(_ following: RemotePort.Following) -> @Sendable () -> Void {
        let isOver = IsOver()
        let tasks = sources.compactMap { place, source in
            source.service.map { service in
                following.post(.sourceFollowed(place, obstacle: nil))
                let follower = SourceFollower(service, clock: .system) { error in
                    guard error?.code != .cancelled else { return }
                    let obstacle = error.map(\.sentence.asSentence)
                    following.inTurn {
                        guard !isOver.value else { return }
                        following.post(.sourceFollowed(place, obstacle: obstacle))
                    }
                } ask: {
                    await ask(source, following)
                }
                return Task { await follower.follow() }
            }
        }
        return {
            isOver.value = true
            tasks.forEach { $0.cancel() }
        }
    }

    /// Asks beside everything else, and takes the answer in turn with all others, so that none is taken in between two
    /// steps of another.
    private func ask(_ source: KeptSource, _ following: RemotePort.Following) async -> SourceError? {
        guard let asked = files.askable.first(where: { $0.source == source }) else { return nil }
        let question = files.questions.question([asked])
        let answers = await files.services.answers(question.sources)
        guard !Task.isCancelled else { return nil }
        return await withCheckedContinuation { continuation in
            following.inTurn { [files] in
                let (event, failure) = files.takePoll(answers, of: source, to: question)
                if let event { following.post(event) }
                continuation.resume(returning: failure)
            }
        }
    }
}

/// Whether a following has ended: what its sources have said before, and is still to be told, is of no interest then.
private final class IsOver: Sendable {
    private let state = Mutex(false)

    var value: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
