import FlagRemote
import FlagTesting
import Testing

/// Server-sent events.
struct EventStreamTests {
    /// The examples of the HTML standard, section 9.2.6, and more cases of its rules.
    static let cases: [(String, [ServerSentEvent])] = [
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [ServerSentEvent(data: "YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [
                ServerSentEvent(data: "first event", id: "1"), ServerSentEvent(data: "second event"),
                ServerSentEvent(data: " third event"),
            ]
        ),
        ("data\n\ndata\ndata\n\ndata:", [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [ServerSentEvent(data: "test"), ServerSentEvent(data: "test")]),
        ("\u{FEFF}data: a\n\n", [ServerSentEvent(data: "a")]),
        (
            "event: put\ndata: {}\n\ndata: x\n\n",
            [ServerSentEvent(name: "put", data: "{}"), ServerSentEvent(data: "x")]
        ),
        ("data: a\r\rdata: b\r\n\r\n", [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
        ("event: nothing\n\ndata: a\n\n", [ServerSentEvent(data: "a")]),
        ("id: 1\u{0}2\ndata: a\n\n", [ServerSentEvent(data: "a")]),
        ("id: 7\n\ndata: a\n\n", [ServerSentEvent(data: "a", id: "7")]),
        (
            "retry: 250\ndata: a\n\ndata: b\n\n",
            [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]
        ),
        ("retry: soon\nretry:\ndata: a\n\n", [ServerSentEvent(data: "a")]),
        ("colon: : kept\ndata: a: b\n\n", [ServerSentEvent(data: "a: b")]),
        ("data: incomplete\n", []), (":\n\n:heartbeat\n\n", []), ("", []),
    ]

    @Test(arguments: cases)
    func `streams are parsed by the rules of the HTML standard, wherever they are cut into pieces`(
        text: String, expected: [ServerSentEvent]
    ) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var parser = EventStreamParser()
            #expect(parser.parse(bytes[..<cut]) + parser.parse(bytes[cut...]) == expected, "cut at \(cut)")
        }
        var parser = EventStreamParser()
        #expect(bytes.flatMap { parser.parse([$0]) } == expected)
    }

    private let clock = ManualClock()
    private let request: SourceRequest

    init() throws {
        let url = try #require(SourceURL("https://flags.example.com/events?token=hush"))
        request = SourceRequest(source: "flags.example.com", url: url)
    }

    private func client(_ responses: [ScriptedTransport.Response]) -> (SourceClient, ScriptedTransport) {
        let transport = ScriptedTransport(responses)
        return (SourceClient(transport: transport, clock: clock.sourceClock), transport)
    }

    /// Runs a feed until it has waited a number of times; returns its requests.
    @discardableResult private func requests(
        with responses: [ScriptedTransport.Response], untilWaits count: Int
    ) async -> [SourceRequest] {
        let (client, transport) = client(responses)
        await EventFeed(client, request).run { update in
            if case .lost = update { clock.waits.count < count } else { true }
        }
        return transport.requests
    }

    @Test func `a feed reconnects with the last event id and a growing backoff`() async throws {
        let event = Array("id: evt-1\ndata: a\n\n".utf8)
        let (client, transport) = client(
            [.chunks([event]), .failure(.unreachable, "refused"), .failure(.unreachable, "refused"), .chunks([event])])
        let seen = Collected<String>()
        await EventFeed(client, request).run { updates in
            switch updates {
            case .opened: await seen.add("opened")
            case .event(let event): await seen.add(event.data)
            case .lost(let error, let wait): await seen.add("\(error.code) \(wait.map { "\($0)" } ?? "for good")")
            }
            return await seen.all.count < 6
        }
        #expect(
            await seen.all == [
                "opened", "a", "unreachable 1.0 seconds", "unreachable 2.0 seconds", "unreachable 4.0 seconds",
                "opened",
            ])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "evt-1", "evt-1", "evt-1"])
        #expect(transport.requests[0].headers["Accept"] == "text/event-stream")
        #expect(clock.waits == [.seconds(1), .seconds(2), .seconds(4)])
    }

    @Test func `a flood of events is throttled, and no event is lost`() async throws {
        let count = 60_000
        let chunk = Array(String(repeating: "data: x\n\n", count: 1_000).utf8)
        let (client, _) = client([.chunks(Array(repeating: chunk, count: count / 1_000))])
        var events = try await client.events(request)
        var read = 0
        while try await events.next() != nil { read += 1 }
        #expect(read == count)
        // 8 MiB per second; each line counts as 400 bytes.
        #expect((5...7).contains(clock.waits.count) && Set(clock.waits) == [.seconds(1)], "\(clock.waits)")
    }

    @Test(arguments: ["retry: 7000\ndata: a\n\n", "retry: 7000\n\n", "data: a\n\nretry: 7000\n\n", "retry: 7000\n"])
    func `a retry field sets the wait, with or without an event`(text: String) async throws {
        await requests(with: [.chunks([Array(text.utf8)])], untilWaits: 1)
        #expect(clock.waits == [.seconds(7)])
    }

    @Test(arguments: [59, 60])
    func `the backoff starts over after a connection that lasted at least 60 seconds`(life: Int64) async throws {
        let (client, _) = client([.chunks([Array("data: a\n\n".utf8)])])
        await EventFeed(client, request).run { updates in
            switch updates {
            case .opened where clock.waits.count == 3: clock.turn(by: life)
            case .lost: return clock.waits.count < 4
            default: break
            }
            return true
        }
        #expect(clock.waits == [1, 2, 4, life < 60 ? 8 : 1].map { .seconds($0) })
    }

    @Test(arguments: ["a\u{7}b", String(repeating: "x", count: 1_025)])
    func `an event id that is not a valid header value is not sent`(id: String) async throws {
        let requests = await requests(with: [.chunks([Array("id: \(id)\ndata: a\n\n".utf8)])], untilWaits: 2)
        #expect(requests.map { $0.headers["Last-Event-ID"] } == [nil, nil, nil])
    }

    @Test func `a feed stops for good after HTTP status 204`() async throws {
        let (client, transport) = client([.response(SourceResponse(status: 204))])
        let waits = Collected<Duration?>()
        await EventFeed(client, request).run { updates in
            if case .lost(_, let wait) = updates { await waits.add(wait) }
            return true
        }
        #expect(await waits.all == [nil] && transport.requests.count == 1 && clock.waits.isEmpty)
    }

    @Test func `the idle timeout of a stream is longer than LaunchDarkly's heartbeat interval`() async throws {
        let (client, transport) = client([.chunks([])])
        _ = try await client.events(request)
        let limits = try #require(transport.limits.first)
        // LaunchDarkly sends a heartbeat every 3 minutes. Its SDKs wait 5 minutes for one, so that it may be late.
        let heartbeat = Duration.seconds(180)
        #expect(limits.idleTimeout > heartbeat * 1.5 && limits.idleTimeout < heartbeat * 2)
        #expect(limits.total < heartbeat, "the total limit applies only until the response starts")
    }

    @Test func `a feed waits with backoff even if a service sends a wait of 0 or in the past`() async throws {
        let empty = ScriptedTransport.Response.chunks([Array("retry: 0\ndata: a\n\n".utf8)])
        let now = ScriptedTransport.Response.response(
            SourceResponse(status: 503, headers: SourceHeaders([("Retry-After", "0")])))
        let past = ScriptedTransport.Response.response(
            SourceResponse(status: 429, headers: SourceHeaders([("Retry-After", "Sat, 21 Nov 2020 10:00:00 GMT")])))
        await requests(with: [empty, now, past, .failure(.unreachable, "refused")], untilWaits: 4)
        #expect(clock.waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    }

    @Test(arguments: [
        (
            ScriptedTransport.Response.chunks([Array("<html>".utf8)], contentType: "text/html"),
            SourceError.Code.malformed
        ),
        (.response(SourceResponse(status: 401)), .refused), (.response(SourceResponse(status: 404)), .missing),
    ])
    func `a response that is not an event stream is an error, and a rejected request waits 5 minutes`(
        result: ScriptedTransport.Response, code: SourceError.Code
    ) async throws {
        let (client, _) = client([result])
        let codes = Collected<SourceError.Code>()
        await EventFeed(client, request).run { updates in
            if case .lost(let error, _) = updates { await codes.add(error.code) }
            return await codes.all.count < 2
        }
        #expect(await codes.all == [code, code])
        #expect(clock.waits == [code == .refused ? .seconds(300) : .seconds(1)])
    }

    @Test func `an endless event fails with tooLarge`() async throws {
        var (client, _) = client([.chunks(Array(repeating: Array("data: 0123456789\n".utf8), count: 100))])
        client.streamLimits.bodySize = 500
        var events = try await client.events(request)
        let error = await #expect(throws: SourceError.self) { try await events.next() }
        #expect(error?.code == .tooLarge)
    }
}

/// Collects elements in order.
actor Collected<Element: Sendable> {
    private(set) var all: [Element] = []

    func add(_ element: Element) { all.append(element) }
}
