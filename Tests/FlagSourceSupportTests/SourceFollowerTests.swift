import FlagSourceSupport
import FlagTesting
import Synchronization
import Testing

@Suite("Following one source")
struct SourceFollowerTests {
    /// A source that tells what a test says.
    private struct Telling: RemoteSource {
        let identity = "telling"
        let name = "telling"
        let hints: AsyncStream<SourceHint>

        func changes() -> AsyncStream<SourceHint>? { hints }
        func fetch(since version: String?) async throws(SourceError) -> SourceAnswer { .unchanged }
    }

    @Test("however many changes are told while the source is asked, it is asked once more", .timeLimit(.minutes(5)))
    func bursts() async {
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let (heard, hearing) = AsyncStream.makeStream(of: Void.self)
        let count = Mutex(0)
        let follower = SourceFollower(Telling(hints: hints), clock: ManualClock().sourceClock) { _ in
            hearing.yield()
        } ask: {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                for _ in 1...50 { service.yield(.changed) }
                service.yield(.connected)
                // Whatever came before that is heard by now.
                for await _ in heard { break }
            } else {
                service.finish()
            }
            return nil
        }
        service.yield(.changed)
        await follower.follow()
        #expect(count.withLock { $0 } == 2)
    }

    @Test("who wants to be left alone is, and then asked once for all that was told meanwhile", .timeLimit(.minutes(5)))
    func throttled() async {
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let (heard, hearing) = AsyncStream.makeStream(of: Void.self)
        let clock = ManualClock()
        let count = Mutex(0)
        let follower = SourceFollower(Telling(hints: hints), clock: clock.sourceClock) { _ in
            hearing.yield()
        } ask: {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                for _ in 1...50 { service.yield(.changed) }
                service.yield(.connected)
                service.finish()
                // Whatever came before that is heard by now.
                for await _ in heard { break }
                return SourceError(code: .throttled, path: "telling", sentence: "no", retryAfter: .seconds(90))
            }
            return nil
        }
        service.yield(.changed)
        await follower.follow()
        #expect(count.withLock { $0 } == 2 && clock.waits == [.seconds(90)])
    }
}
