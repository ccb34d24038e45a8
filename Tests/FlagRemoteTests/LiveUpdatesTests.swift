import FlagRemote
import FlagTesting
import Synchronization
import Testing

@Suite("Following one source")
struct LiveUpdatesTests {
    /// A source that tells what a test says.
    private struct Telling: RemoteSource {
        let identity: SourceIdentity = "telling"
        let name = "telling"
        let hints: AsyncStream<SourceHint>

        func changes() -> AsyncStream<SourceHint>? { hints }
        func fetch(
            since version: String?, progress: @escaping ProgressHandler
        ) async throws(SourceError) -> SourceAnswer { .unchanged }
    }

    /// Follows a source that tells of fifty changes while it is asked for the first time, and of none after that.
    ///
    /// - Parameter first: what the first question ends with.
    /// - Returns: how often it was asked.
    private func questions(_ clock: ManualClock, first: SourceError?) async -> Int {
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let (heard, hearing) = AsyncStream.makeStream(of: Void.self)
        let count = Mutex(0)
        let follower = LiveUpdates(Telling(hints: hints), clock: clock.sourceClock) { _ in
            hearing.yield()
        } refresh: {
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { return nil }
            for _ in 1...50 { service.yield(.changed) }
            service.yield(.connected)
            service.finish()
            // Whatever came before that is heard by now.
            for await _ in heard { break }
            return first
        }
        service.yield(.changed)
        await follower.follow()
        return count.withLock { $0 }
    }

    @Test("however many changes are told while the source is asked, it is asked once more", .timeLimit(.minutes(10)))
    func bursts() async {
        #expect(await questions(ManualClock(), first: nil) == 2)
    }

    @Test("who tells of a change after each request is requested four times a second", .timeLimit(.minutes(10)))
    func changesWithoutEnd() async {
        let clock = ManualClock()
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let count = Mutex(0)
        let follower = LiveUpdates(Telling(hints: hints), clock: clock.sourceClock) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number < 40 { service.yield(.changed) } else { service.finish() }
            return nil
        }
        service.yield(.changed)
        await follower.follow()
        #expect(count.withLock { $0 } == 40)
        #expect((8...10).contains(clock.waits.count) && Set(clock.waits) == [.seconds(1)], "\(clock.waits)")
    }

    @Test(
        "who wants to be left alone is, and then asked once for all that was told meanwhile", .timeLimit(.minutes(10)))
    func throttled() async {
        let clock = ManualClock()
        let no = SourceError(code: .throttled, path: "telling", sentence: "no", retryAfter: .seconds(90))
        #expect(await questions(clock, first: no) == 2 && clock.waits == [.seconds(90)])
    }

    @Test(
        "who cannot answer just then is asked again for what was told, and who will not is not",
        .timeLimit(.minutes(10)),
        arguments: [
            (SourceError.Code.faulty, true), (.unreachable, true), (.timedOut, true), (.throttled, true),
            (.malformed, true), (.refused, false), (.rejected, false), (.insecure, false),
        ])
    func passing(code: SourceError.Code, isAskedAgain: Bool) async {
        let clock = ManualClock()
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let count = Mutex(0)
        let follower = LiveUpdates(Telling(hints: hints), clock: clock.sourceClock) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { service.finish() }
            return number < 4 ? SourceError(code: code, path: "telling", sentence: "no") : nil
        }
        service.yield(.changed)
        await follower.follow()
        #expect(count.withLock { $0 } == (isAskedAgain ? 4 : 1))
        #expect(clock.waits.map(\.components.seconds) == (isAskedAgain ? [2, 4, 8] : []), "\(clock.waits)")
    }
}
