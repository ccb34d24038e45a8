import FlagTesting
import Synchronization
import TestSupport
import Testing

@testable import FlagRemote

/// Live updates of one source.
@Suite(.timeLimit(.minutes(10)))
struct LiveUpdatesTests {
    /// Counts the requests to a source that reports a change at first.
    ///
    /// - Parameter refresh: gets the number of the request, and the service, which can report more changes.
    private func requestCount(
        of identity: SourceIdentity = "telling", _ clock: SourceClock,
        statusChanged: @escaping @Sendable () -> Void = {},
        refresh: @escaping @Sendable (Int, AsyncStream<LiveUpdateEvent>.Continuation) async -> SourceError?
    ) async -> Int {
        let (liveUpdates, service) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
        let count = Atomic(0)
        let source = MemorySource(identity, liveUpdates: liveUpdates)
        let subscriber = LiveUpdates(source: source, clock: clock) { _ in
            statusChanged()
        } refresh: {
            await refresh(count.add(1, ordering: .relaxed).newValue, service)
        }
        service.yield(.changed)
        await subscriber.followUpdates()
        return count.load(ordering: .relaxed)
    }

    @Test(arguments: [nil, .seconds(90)] as [Duration?])
    func `fifty changes during a request cause one more request, after the wait if the source is rate limited`(
        retryAfter: Duration?
    ) async {
        let clock = ManualClock()
        let (received, receiving) = AsyncStream.makeStream(of: Void.self)
        let count = await requestCount(clock.sourceClock, statusChanged: { receiving.yield() }) { number, service in
            guard number == 1 else { return nil }
            for _ in 1...50 { service.yield(.changed) }
            service.yield(.connected)
            service.finish()
            // All events before this one have been handled.
            for await _ in received { break }
            return retryAfter.map { SourceError(code: .rateLimited, path: "telling", sentence: "no", retryAfter: $0) }
        }
        #expect(count == 2)
        if let retryAfter { #expect(clock.waits == [retryAfter]) }
    }

    @Test func `a source that reports a change after each request is requested at most four times a second`() async {
        let clock = ManualClock()
        let count = await requestCount(clock.sourceClock) { number, service in
            if number < 40 { service.yield(.changed) } else { service.finish() }
            return nil
        }
        #expect(count == 40)
        #expect((8...10).contains(clock.waits.count) && Set(clock.waits) == [.seconds(1)], "\(clock.waits)")
    }

    @Test func `after rejected credentials, polling resumes within a minute after another request has succeeded`() async
    {
        let clock = ManualClock()
        let isFixed = Mutex(false)
        let requests = Mutex<[Int64]>([])
        let start = clock.now.seconds
        let source = MemorySource("polled", pollInterval: .seconds(30))
        let updates = LiveUpdates(source: source, clock: clock.sourceClock, isFailing: { !isFixed.withLock { $0 } }) {
            requests.withLock { $0.append(clock.now.seconds - start) }
            let isFixed = isFixed.withLock { isFixed in
                // A user fixes the credential and fetches, long before the pause is over.
                defer { isFixed = true }
                return isFixed
            }
            return isFixed ? nil : SourceError(code: .refused, path: "polled", sentence: "no")
        }
        let task = Task { await updates.followUpdates() }
        while requests.withLock({ $0.count }) < 3 { await Task.yield() }
        task.cancel()
        await task.value
        #expect(requests.withLock { Array($0.prefix(3)) } == [30, 120, 150])
    }

    @Test(arguments: [
        (SourceError.Code.faulty, true), (.unreachable, true), (.timedOut, true), (.rateLimited, true),
        (.malformed, true), (.refused, false), (.rejected, false), (.insecure, false),
    ])
    func `a failed refresh is retried with backoff after temporary errors only`(code: SourceError.Code, isRetried: Bool)
        async
    {
        let clock = ManualClock()
        let count = await requestCount(clock.sourceClock) { number, service in
            if number == 1 { service.finish() }
            return number < 4 ? SourceError(code: code, path: "telling", sentence: "no") : nil
        }
        #expect(count == (isRetried ? 4 : 1))
        #expect(clock.waits.map(\.components.seconds) == (isRetried ? [2, 4, 8] : []), "\(clock.waits)")
    }

    /// Such as the correction of a file that somebody has saved with a mistake: its error may have lasted for hours.
    @Test func `a change of a file during the wait after a failure is requested at once`() async {
        let clock = ManualClock()
        let (pauses, pausing) = AsyncStream.makeStream(of: Void.self)
        let endless = SourceClock(
            now: { clock.now },
            sleep: { _ in
                pausing.yield()
                try await Task.sleep(for: .seconds(86_400))
            }, random: { 0.5 })
        let count = await requestCount(of: "file:telling", endless) { number, service in
            guard number == 1 else { return nil }
            Task {
                for await _ in pauses { break }
                service.yield(.changed)
                service.finish()
            }
            return SourceError(code: .malformed, path: "telling", sentence: "no")
        }
        #expect(count == 2)
    }
}
