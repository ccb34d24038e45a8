import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagSourceFile
import FlagSourceSupport
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

    /// Follows until the closure that it returns is called.
    func start(_ following: RemotePort.Following) -> @Sendable () -> Void {
        let tasks = sources.compactMap { place, source in
            source.service.map { service in
                let follower = SourceFollower(service, clock: .system) { error in
                    guard error?.code != .cancelled else { return }
                    let obstacle = error.map { "\($0.sentence)." }
                    following.inTurn { following.post(.sourceFollowed(place, obstacle: obstacle)) }
                } ask: {
                    await ask(source, following)
                }
                return Task { await follower.follow() }
            }
        }
        return { tasks.forEach { $0.cancel() } }
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
