import DeveloperMenu
import Dispatch
import FlagRemote
import Synchronization

/// Tells a menu how far the asking of sources is, some twenty times a second at most: a fast answer comes in thousands of
/// pieces, and nobody reads them all.
final class FetchReport: Sendable {
    private struct State {
        var news: [Int: FetchProgress] = [:]
        var isDue = false
    }

    /// The source that the task at hand asks, and who is told of it; `nil` where nobody looks.
    @TaskLocal static var place: Place?

    /// One of the sources that are asked.
    struct Place: Sendable {
        let report: FetchReport
        /// By its place among all.
        let source: Int

        func tell(_ progress: FetchProgress) { report.tell(source, progress) }
    }

    private static let interval = DispatchTimeInterval.milliseconds(50)

    private let post: @Sendable (Event) -> Void
    private let state = Mutex(State())

    init(_ post: @escaping @Sendable (Event) -> Void) { self.post = post }

    /// What a source's client tells.
    @Sendable static func note(_ progress: SourceProgress) {
        switch progress {
        case .received(let bytes, let total): place?.tell(.received(bytes: bytes, of: total))
        case .retrying(let attempt, _): place?.tell(.askedAgain(attempt: attempt))
        }
    }

    /// That sources are asked from now on.
    func begin(_ sources: [Int]) { sources.forEach { post(.sourceProgressed($0, .asked)) } }

    private func tell(_ source: Int, _ progress: FetchProgress) {
        let isFirst = state.withLock { state in
            state.news[source] = progress
            defer { state.isDue = true }
            return !state.isDue
        }
        guard isFirst else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { self.flush() }
    }

    private func flush() {
        let news = state.withLock { state in
            defer { state = State() }
            return state.news
        }
        for (source, progress) in news.sorted(by: { $0.key < $1.key }) { post(.sourceProgressed(source, progress)) }
    }
}
