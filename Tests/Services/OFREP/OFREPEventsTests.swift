#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

@testable import FlagSourceOFREP

/// OFREP: live updates.
@Suite(.limitedParallelism, .timeLimit(.minutes(10)))
struct OFREPEventsTests {
    /// A source with a subscription and its updates.
    private final class Listener {
        let server: LoopbackOFREP
        let clock = ManualClock()
        let source: OFREPSource
        var liveUpdates: AsyncStream<LiveUpdateEvent>.Iterator

        init(
            offersEvents: Bool = true, pollInterval: Duration? = nil,
            sleep: (@Sendable (Duration) async throws -> Void)? = nil
        ) async throws {
            server = try await LoopbackOFREP([.init("a", "1")], offersEvents: offersEvents)
            var settings = try OFREPSettings(baseURL: server.url)
            settings.pollInterval = pollInterval
            let base = clock.sourceClock
            let sourceClock = SourceClock(now: base.now, sleep: sleep ?? base.sleep, random: base.random)
            source = OFREPSource(settings, client: SourceClient(transport: HTTPTransport(), clock: sourceClock))
            liveUpdates = try #require(source.changes()).makeAsyncIterator()
            #expect(await liveUpdates.next() == .changed, "a request must find the streams first")
        }

        /// Requests the flags, while the server offers these channels.
        func fetch(offering channels: [String]) async throws {
            server.offerEvents(channels)
            _ = try await source.fetch(since: nil)
        }

        /// Why there are no live updates, which must be the next update.
        func nextError() async throws -> SourceError {
            guard case .disconnected(let error) = await liveUpdates.next() else {
                throw WaitError(description: "no error of the streams was reported")
            }
            return error
        }

        /// Waits until a new stream is connected.
        func expectConnection(_ place: SourceLocation = #_sourceLocation) async {
            #expect(await liveUpdates.next() == .connected, sourceLocation: place)
            #expect(await liveUpdates.next() == .changed, "earlier changes were not reported", sourceLocation: place)
        }
    }

    @Test func `an event causes a request with the event's version, and a broken stream reconnects`() async throws {
        let listener = try await Listener()
        let (server, source) = (listener.server, listener.source)
        #expect(try await source.fetchTexts() == ["a": "1"])
        await listener.expectConnection()
        #expect(try await source.fetch(since: server.etag) == .unchanged)

        try await server.server.waitForListener(LoopbackOFREP.stream)
        await server.set([.init("a", "2")])
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await source.fetchValues(since: "\"old\"").texts == ["a": "2"])
        let last = try #require(server.server.requests.last)
        #expect(last.query("flagConfigEtag") == server.etag && last.query("flagConfigLastModified") == "1771622899")
        #expect(last.headers["If-None-Match"] == "\"old\"")
        _ = try await source.fetch(since: nil)
        #expect(server.server.requests.last?.query == nil, "the version of an event is sent once")

        await server.server.breakOff(LoopbackOFREP.stream)
        _ = try await listener.nextError()
        // Changes may have been missed meanwhile.
        await listener.expectConnection()
    }

    @Test func `events of other types are ignored, and the event's version survives a failed request`() async throws {
        let listener = try await Listener()
        let server = listener.server.server
        try await listener.fetch(offering: ["all"])
        await listener.expectConnection()
        try await server.waitForListener(LoopbackOFREP.stream)
        for data in ["{\"type\": \"other\"}", "17", "{}"] {
            await server.push(ServerSentEvent(data: data), to: LoopbackOFREP.stream)
        }
        await server.push(
            ServerSentEvent(name: "named", data: #"{"type": "refetchEvaluation", "etag": "e"}"#),
            to: LoopbackOFREP.stream)
        #expect(await listener.liveUpdates.next() == .changed)
        await server.push(ServerSentEvent(data: "no JSON"), to: LoopbackOFREP.stream)
        #expect(await listener.liveUpdates.next() == .changed, "an unreadable event causes a request")
        server.inject(.status(403))
        #expect(await listener.source.fetchError() != nil)
        _ = try await listener.source.fetch(since: nil)
        #expect(server.requests.last?.query == "flagConfigEtag=e")
    }

    @Test func `the first request of a subscription has no version, as stream URLs are never cached`() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let source = OFREPSource(
            try OFREPSettings(baseURL: server.url), client: SourceClient(transport: HTTPTransport()))
        #expect(try await source.fetch(since: server.etag) == .unchanged)
        let liveUpdates = try #require(source.changes())
        #expect(try await source.fetch(since: server.etag) != .unchanged)
        #expect(try await source.fetch(since: server.etag) == .unchanged)
        for await update in liveUpdates { if update == .connected { break } }
    }

    @Test func `stream URLs that change with every response connect with a backoff`() async throws {
        let listener = try await Listener()
        for round in 0..<6 {
            try await listener.fetch(offering: ["round\(round)"])
            await listener.expectConnection()
        }
        let clock = listener.clock
        #expect(clock.waits == [1, 2, 4, 8, 16].map { .seconds($0) }, "\(clock.waits)")
        clock.turn(by: 60)
        try await listener.fetch(offering: (0..<50).map { "many\($0)" })
        #expect(try await listener.nextError().sentence.contains("offers 50 streams of changes; 8 of them are used"))
        for _ in 0..<16 { _ = await listener.liveUpdates.next() }
        let connections = listener.server.server.requests.count { $0.query("channel")?.hasPrefix("many") == true }
        #expect(connections == 8)
        #expect(clock.waits.count == 5, "streams that change after a minute connect without a wait")
    }

    @Test func `a response with other stream URLs closes the connections that it no longer lists`() async throws {
        let listener = try await Listener()
        let server = listener.server.server
        var offered: [String] = []
        for channels in [["all"], ["all", "eu"], ["eu", "us"], ["us"], ["us"], [], ["all"]] {
            try await listener.fetch(offering: channels)
            // Closing a connection is not reported as an error.
            for channel in channels where !offered.contains(channel) {
                // Without a stream the server was polled.
                var update = await listener.liveUpdates.next()
                while offered.isEmpty, update == .changed { update = await listener.liveUpdates.next() }
                #expect(update == .connected, "\(channel)")
                #expect(await listener.liveUpdates.next() == .changed)
            }
            for channel in ["all", "eu", "us"] {
                let count = channels.contains(channel) ? 1 : 0
                try await wait(for: "change to \(count) connections to \(channel)") {
                    server.listeners(LoopbackOFREP.stream(of: channel)) == count
                }
            }
            offered = channels
        }
        let connections = server.requests.filter { $0.method == "GET" }.map { $0.query("channel") }
        #expect(connections == ["all", "eu", "us", "all"], "a stream that is still offered keeps its connection")
        await listener.server.set([.init("a", "2")])
        #expect(await listener.liveUpdates.next() == .changed)
    }

    @Test func `a failed stream is reported while it is offered, even if other streams work`() async throws {
        // The wait is so long that nothing is retried.
        let listener = try await Listener { _ in try await Task.sleep(for: .seconds(86_400)) }
        let server = listener.server
        server.server.respond { request in
            request.query("channel") == "all" ? .status(503) : server.reply(to: request)
        }
        func offer(_ channels: [String]) async throws {
            listener.clock.turn(by: 60)
            try await listener.fetch(offering: channels)
        }
        try await offer(["all"])
        for channels in [["all"], ["all", "eu"]] {
            try await offer(channels)
            #expect(try await listener.nextError().status == 503)
        }
        #expect(await listener.liveUpdates.next() == .changed, "the connected stream reports a change")
        try await offer(["eu"])
        try await offer(["eu", "us"])
        #expect(await listener.liveUpdates.next() == .connected, "no offered stream has failed")
        await listener.expectConnection()
    }

    @Test func `a server without event streams is polled every 30 s, until it offers a stream`() async throws {
        let listener = try await Listener(offersEvents: false)
        let clock = listener.clock
        try await listener.fetch(offering: [])
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(clock.waits.first == .seconds(30) && Set(clock.waits).count == 1)
        try await listener.fetch(offering: ["all"])
        // Polls that were reported before the stream was connected.
        while let update = await listener.liveUpdates.next(), update != .connected {}
        let waits = clock.waits.count
        #expect(await listener.liveUpdates.next() == .changed, "earlier changes were not reported")
        #expect(clock.waits.count == waits)
    }

    @Test(arguments: [(nil, 30), (0, 30), (2, 5), (10, 10), (86_400, 3_600)] as [(Int64?, Int64)])
    func `a server without event streams is polled as often as its responses may be cached, within limits`(
        cacheAge: Int64?, interval: Int64
    ) {
        #expect(OFREPSubscription.pollInterval(cacheAge: cacheAge.map { .seconds($0) }) == .seconds(interval))
    }

    @Test func `a poll of a server without event streams reports a change to the newest values`() async throws {
        let (polls, poll) = AsyncStream.makeStream(of: Void.self)
        let listener = try await Listener(offersEvents: false) { wait in
            #expect(wait == .seconds(30))
            for await _ in polls { break }
            try Task.checkCancellation()
        }
        try await listener.fetch(offering: [])
        for number in 1...20 {
            listener.server.replace([.init("a", "\(number)")])
            poll.yield()
            #expect(await listener.liveUpdates.next() == .changed)
            #expect(try await listener.source.fetchTexts() == ["a": "\(number)"])
        }
    }

    @Test func `with an interval in the settings the subscription does not poll as well`() async throws {
        let listener = try await Listener(offersEvents: false, pollInterval: .seconds(60))
        try await listener.fetch(offering: [])
        for _ in 0..<100 { await Task.yield() }
        try await listener.fetch(offering: ["all"])
        #expect(await listener.liveUpdates.next() == .connected)
        #expect(listener.clock.waits.isEmpty)
    }
}
#endif
