#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTesting
import Flags
import Synchronization
import TestSupport
import Testing
import VendorServers

@testable import FlagSourceOFREP

@Suite("OFREP: live updates", .limitedParallelism)
struct OFREPEventsTests {
    private func source(_ server: LoopbackOFREP, _ clock: ManualClock = ManualClock()) throws -> OFREPSource {
        OFREPSource(
            try OFREPSettings(baseURL: server.url),
            client: SourceClient(transport: HTTPTransport(), clock: clock.sourceClock))
    }

    private func value(_ result: FetchResult, of source: OFREPSource) throws -> String? {
        guard case .values(let bytes, _) = result else { return nil }
        return try source.decode(bytes).values["a"]?.string
    }

    @Test func `an event causes a request with the event's version, and a broken stream reconnects`() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let source = try source(server)
        var liveUpdates = try #require(source.changes()).makeAsyncIterator()
        #expect(await liveUpdates.next() == .changed, "a request must find the stream first")
        #expect(try value(try await source.fetch(since: nil), of: source) == "1")
        #expect(await liveUpdates.next() == .connected)
        #expect(await liveUpdates.next() == .changed)
        #expect(try await source.fetch(since: server.etag) == .unchanged)

        try await server.server.waitForListener(LoopbackOFREP.stream)
        await server.set([.init("a", "2")])
        #expect(await liveUpdates.next() == .changed)
        #expect(try value(try await source.fetch(since: "\"old\""), of: source) == "2")
        let last = try #require(server.server.requests.last)
        #expect(last.query("flagConfigEtag") == server.etag && last.query("flagConfigLastModified") == "1771622899")
        #expect(last.headers["If-None-Match"] == "\"old\"")
        _ = try await source.fetch(since: nil)
        #expect(server.server.requests.last?.query == nil, "the version of an event is sent once")

        await server.server.breakOff(LoopbackOFREP.stream)
        guard case .disconnected = await liveUpdates.next() else {
            Issue.record("the end of the stream is not reported")
            return
        }
        #expect(await liveUpdates.next() == .connected)
        #expect(await liveUpdates.next() == .changed, "changes may have been missed while disconnected")
        #expect(server.server.requests.last { $0.method == "GET" }?.headers["Last-Event-ID"] == "evt-1")
    }

    @Test func `events of other types are ignored, and the event's version survives a failed request`() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let source = try source(server)
        var liveUpdates = try #require(source.changes()).makeAsyncIterator()
        #expect(await liveUpdates.next() == .changed)
        _ = try await source.fetch(since: nil)
        #expect(await liveUpdates.next() == .connected)
        #expect(await liveUpdates.next() == .changed)
        try await server.server.waitForListener(LoopbackOFREP.stream)
        for data in ["{\"type\": \"other\"}", "17", "{}"] {
            await server.server.push(ServerSentEvent(data: data), to: LoopbackOFREP.stream)
        }
        await server.server.push(
            ServerSentEvent(name: "named", data: #"{"type": "refetchEvaluation", "etag": "e"}"#),
            to: LoopbackOFREP.stream)
        #expect(await liveUpdates.next() == .changed)
        await server.server.push(ServerSentEvent(data: "no JSON"), to: LoopbackOFREP.stream)
        #expect(await liveUpdates.next() == .changed, "an unreadable event causes a request")
        server.server.inject(.status(403))
        await #expect(throws: SourceError.self) { try await source.fetch(since: nil) }
        _ = try await source.fetch(since: nil)
        #expect(server.server.requests.last?.query == "flagConfigEtag=e")
    }

    @Test func `the first request of a subscription has no version, because stream URLs are never cached`() async throws
    {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let source = try source(server)
        #expect(try await source.fetch(since: server.etag) == .unchanged)
        let liveUpdates = try #require(source.changes())
        guard case .values = try await source.fetch(since: server.etag) else {
            Issue.record("the first request of the subscription had a version")
            return
        }
        #expect(try await source.fetch(since: server.etag) == .unchanged)
        for await update in liveUpdates { if update == .connected { break } }
    }

    @Test(.timeLimit(.minutes(10)))
    func `stream URLs that change with every response connect with a backoff`() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let clock = ManualClock()
        let source = try source(server, clock)
        var liveUpdates = try #require(source.changes()).makeAsyncIterator()
        #expect(await liveUpdates.next() == .changed)
        for round in 0..<6 {
            server.offerEvents(["round\(round)"])
            _ = try await source.fetch(since: nil)
            #expect(await liveUpdates.next() == .connected)
            #expect(await liveUpdates.next() == .changed)
        }
        #expect(clock.waits == [1, 2, 4, 8, 16].map { .seconds($0) }, "\(clock.waits)")
        clock.turn(by: 60)
        server.offerEvents((0..<50).map { "many\($0)" })
        _ = try await source.fetch(since: nil)
        guard case .disconnected(let error) = await liveUpdates.next() else {
            Issue.record("the unused streams were not reported")
            return
        }
        #expect(error.sentence.contains("offers 50 streams of changes; 8 of them are used"))
        for _ in 0..<16 { _ = await liveUpdates.next() }
        #expect(server.server.requests.count { $0.query("channel")?.hasPrefix("many") == true } == 8)
        #expect(clock.waits.count == 5, "streams that change after a minute connect without a wait")
    }

    @Test(
        .timeLimit(.minutes(10)))
    func `a response with other stream URLs closes the connections that it no longer lists`() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let source = try source(server)
        var liveUpdates = try #require(source.changes()).makeAsyncIterator()
        #expect(await liveUpdates.next() == .changed)
        var offered: [String] = []
        for channels in [["all"], ["all", "eu"], ["eu", "us"], ["us"], ["us"], [], ["all"]] {
            server.offerEvents(channels)
            _ = try await source.fetch(since: nil)
            // Closing a connection is not reported as an error.
            for channel in channels where !offered.contains(channel) {
                // Without a stream the server was polled.
                var update = await liveUpdates.next()
                while offered.isEmpty, update == .changed { update = await liveUpdates.next() }
                #expect(update == .connected, "\(channel)")
                #expect(await liveUpdates.next() == .changed)
            }
            for channel in ["all", "eu", "us"] {
                let stream = LoopbackOFREP.stream(of: channel)
                while server.server.listeners(stream) != (channels.contains(channel) ? 1 : 0) {
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
            offered = channels
        }
        let connections = server.server.requests.filter { $0.method == "GET" }.map { $0.query("channel") }
        #expect(connections == ["all", "eu", "us", "all"], "a stream that is still offered keeps its connection")
        await server.set([.init("a", "2")])
        #expect(await liveUpdates.next() == .changed)
    }

    @Test(
        .timeLimit(.minutes(10)))
    func `a failed stream is reported while it is offered, even if other streams work`() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        server.server.respond { request in
            request.query("channel") == "all" ? .status(503) : server.reply(to: request)
        }
        // The wait is so long that nothing is retried.
        let manualClock = ManualClock()
        let clock = SourceClock(
            now: manualClock.sourceClock.now, sleep: { _ in try await Task.sleep(for: .seconds(86_400)) }
        ) { 0.5 }
        let source = OFREPSource(
            try OFREPSettings(baseURL: server.url), client: SourceClient(transport: HTTPTransport(), clock: clock))
        var liveUpdates = try #require(source.changes()).makeAsyncIterator()
        #expect(await liveUpdates.next() == .changed)
        func offer(_ channels: [String]) async throws {
            manualClock.turn(by: 60)
            server.offerEvents(channels)
            _ = try await source.fetch(since: nil)
        }
        try await offer(["all"])
        for channels in [["all"], ["all", "eu"]] {
            try await offer(channels)
            guard case .disconnected(let error) = await liveUpdates.next() else {
                Issue.record("\(channels): the failed stream was not reported")
                return
            }
            #expect(error.status == 503)
        }
        #expect(await liveUpdates.next() == .changed, "the connected stream reports a change")
        try await offer(["eu"])
        try await offer(["eu", "us"])
        #expect(await liveUpdates.next() == .connected, "no offered stream has failed")
        #expect(await liveUpdates.next() == .connected)
        #expect(await liveUpdates.next() == .changed)
    }

    @Test func `ending the subscription closes the connection; a server without streams gets none`() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let source = try source(server)
        let subscription = Task {
            for await update in try #require(source.changes()) {
                if update == .connected { return }
                _ = try await source.fetch(since: nil)
            }
        }
        try await subscription.value
        while server.server.listeners(LoopbackOFREP.stream) > 0 { try await Task.sleep(for: .milliseconds(1)) }

        let silent = try await LoopbackOFREP([.init("a", "1")], offersEvents: false)
        let sourceWithoutStreams = try self.source(silent)
        let stream = try #require(sourceWithoutStreams.changes())
        _ = try await sourceWithoutStreams.fetch(since: nil)
        #expect(silent.server.requests.count == 1)
        withExtendedLifetime(stream) {}
    }

    @Test func `a server without event streams is polled every 30 s, until it offers a stream`() async throws {
        let (server, clock) = (try await LoopbackOFREP([.init("a", "1")], offersEvents: false), ManualClock())
        let source = try source(server, clock)
        var liveUpdates = try #require(source.changes()).makeAsyncIterator()
        #expect(await liveUpdates.next() == .changed, "a request must find the streams first")
        _ = try await source.fetch(since: nil)
        #expect(await liveUpdates.next() == .changed)
        #expect(clock.waits.first == .seconds(30) && Set(clock.waits).count == 1)
        server.offerEvents(["all"])
        _ = try await source.fetch(since: nil)
        // Polls that were reported before the stream was connected.
        while let update = await liveUpdates.next(), update != .connected {}
        let waits = clock.waits.count
        #expect(await liveUpdates.next() == .changed, "earlier changes were not reported")
        #expect(clock.waits.count == waits)
    }

    @Test(
        arguments: [(nil, 30), (0, 30), (2, 5), (10, 10), (86_400, 3_600)] as [(Int64?, Int64)])
    func `a server without event streams is polled as often as its responses may be cached, within limits`(
        cacheAge: Int64?, interval: Int64
    ) {
        #expect(OFREPSubscription.pollInterval(cacheAge: cacheAge.map { .seconds($0) }) == .seconds(interval))
    }

    @Test func `a change on a server without event streams is in use within 35 s, at any time during 10 minutes`()
        async throws
    {
        let (server, clock) = (try await LoopbackOFREP([.init("a", "0")], offersEvents: false), SteppedClock())
        let source = OFREPSource(
            try OFREPSettings(baseURL: server.url),
            client: SourceClient(transport: HTTPTransport(), clock: clock.sourceClock))
        let place = Workplace()
        let flags = FlagStore(
            app: "shop", sources: [source], overrides: .closed, launch: [:], announces: false,
            minimumFetchInterval: .zero, storeDirectory: place.place("state"), cacheDirectory: place.place("cache"),
            clock: clock.sourceClock)
        _ = await flags.fetchAndActivate()
        let following = Task { await flags.followRemote() }
        var (elapsed, number) = (0, 0)
        while elapsed < 600 {
            number += 1
            // Not in step with the polls.
            for _ in 0..<(number * 7) % 30 { (elapsed, _) = (elapsed + 1, clock.step()) }
            server.replace([.init("a", "\(number)")])
            for second in 1...36 {
                let isDue = await clock.stepWhenWaiting()
                elapsed += 1
                let end = ContinuousClock.now + .seconds(isDue ? 60 : 0)
                while (try? flags.string("a")) != "\(number)", .now < end {
                    try await Task.sleep(for: .milliseconds(1))
                }
                if (try? flags.string("a")) == "\(number)" { break }
                try #require(second <= 35, "change \(number) after \(elapsed) s")
            }
        }
        following.cancel()
        #expect(number >= 10)
    }

    @Test func `with an interval in the settings the subscription does not poll as well`() async throws {
        let (server, clock) = (try await LoopbackOFREP([.init("a", "1")], offersEvents: false), ManualClock())
        var settings = try OFREPSettings(baseURL: server.url)
        settings.pollInterval = .seconds(60)
        let source = OFREPSource(
            settings, client: SourceClient(transport: HTTPTransport(), clock: clock.sourceClock))
        let stream = try #require(source.changes())
        _ = try await source.fetch(since: nil)
        for _ in 0..<100 { await Task.yield() }
        #expect(clock.waits.isEmpty)
        withExtendedLifetime(stream) {}
    }
}

/// A clock that moves only in steps of a second. A wait ends when its time has come.
private final class SteppedClock: Sendable {
    private struct State {
        var now = FlagTimestamp(seconds: 1_795_255_200)
        var waits: [(end: FlagTimestamp, continuation: AsyncStream<Void>.Continuation)] = []
    }

    private let state = Mutex(State())

    /// Moves on by a second; returns whether a wait has ended.
    func step() -> Bool {
        let ended = state.withLock { state in
            state.now.seconds += 1
            defer { state.waits.removeAll { $0.end <= state.now } }
            return state.waits.filter { $0.end <= state.now }
        }
        for wait in ended { wait.continuation.finish() }
        return !ended.isEmpty
    }

    /// Moves on by a second as soon as somebody waits.
    func stepWhenWaiting() async -> Bool {
        while state.withLock({ $0.waits.isEmpty }) { await Task.yield() }
        return step()
    }

    var sourceClock: SourceClock {
        SourceClock(
            now: { self.state.withLock { $0.now } },
            sleep: { duration in
                let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
                self.state.withLock { state in
                    let end = FlagTimestamp(seconds: state.now.seconds + duration.components.seconds)
                    state.waits.append((end, continuation))
                }
                for await _ in ends {}
                try Task.checkCancellation()
            }, random: { 0.5 })
    }
}
#endif
