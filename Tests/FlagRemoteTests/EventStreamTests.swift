import FlagRemote
import FlagTesting
import Testing

@Suite("Server-sent events")
struct EventStreamTests {
    private func events(_ text: String) -> [ServerSentEvent] {
        var parser = EventStreamParser()
        return parser.take(text.utf8)
    }

    /// The examples of the HTML standard, section 9.2.6, and what its rules say besides.
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
            [ServerSentEvent(data: "a", retry: .milliseconds(250)), ServerSentEvent(data: "b")]
        ),
        ("retry: soon\nretry:\ndata: a\n\n", [ServerSentEvent(data: "a")]),
        ("colon: : kept\ndata: a: b\n\n", [ServerSentEvent(data: "a: b")]),
        ("data: incomplete\n", []), (":\n\n:heartbeat\n\n", []), ("", []),
    ]

    @Test("the standard's rules hold", arguments: cases)
    func rules(text: String, expected: [ServerSentEvent]) { #expect(events(text) == expected) }

    @Test("it does not matter where pieces are cut", arguments: cases)
    func cuts(text: String, expected: [ServerSentEvent]) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var parser = EventStreamParser()
            #expect(parser.take(bytes[..<cut]) + parser.take(bytes[cut...]) == expected, "cut at \(cut)")
        }
        var parser = EventStreamParser()
        #expect(bytes.flatMap { parser.take([$0]) } == expected)
    }

    private static let address = SourceURL("https://flags.example.com/events?token=hush")

    private func client(_ answers: [ScriptedTransport.Answer], _ clock: ManualClock) -> (
        SourceClient, ScriptedTransport
    ) {
        let transport = ScriptedTransport(answers)
        return (SourceClient(transport: transport, clock: clock.sourceClock), transport)
    }

    @Test("a feed connects again with the last id, and waits longer each time")
    func reconnecting() async throws {
        let clock = ManualClock()
        let event = Array("id: evt-1\ndata: a\n\n".utf8)
        let (client, transport) = client(
            [.chunks([event]), .failure(.unreachable, "refused"), .failure(.unreachable, "refused"), .chunks([event])],
            clock)
        let request = SourceRequest(source: "flags.example.com", url: try #require(Self.address))
        let seen = Collected<String>()
        await EventFeed(client, request).run { news in
            switch news {
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

    @Test("events without end are read a part at a time, and none is lost")
    func flood() async throws {
        let clock = ManualClock()
        let count = 60_000
        let chunk = Array(String(repeating: "data: x\n\n", count: 1_000).utf8)
        let (client, _) = client([.chunks(Array(repeating: chunk, count: count / 1_000))], clock)
        let request = SourceRequest(source: "flags.example.com", url: try #require(Self.address))
        var events = try await client.events(request).makeAsyncIterator()
        var read = 0
        while try await events.next() != nil { read += 1 }
        #expect(read == count)
        // 8 MiB a second, where a line costs as much as 400 bytes.
        #expect((5...7).contains(clock.waits.count) && Set(clock.waits) == [.seconds(1)], "\(clock.waits)")
    }

    @Test(
        "a service that names the wait itself is obeyed, with an event or without one",
        arguments: ["retry: 7000\ndata: a\n\n", "retry: 7000\n\n", "data: a\n\nretry: 7000\n\n", "retry: 7000\n"])
    func retryField(text: String) async throws {
        let clock = ManualClock()
        let (client, _) = client([.chunks([Array(text.utf8)])], clock)
        let request = SourceRequest(source: "flags.example.com", url: try #require(Self.address))
        await EventFeed(client, request).run { news in
            if case .lost = news { clock.waits.isEmpty } else { true }
        }
        #expect(clock.waits == [.seconds(7)])
    }

    @Test(
        "the waits begin anew after a connection that has stood for a minute, whatever it brought", arguments: [59, 60])
    func goodConnection(life: Int64) async throws {
        let clock = ManualClock()
        let (client, _) = client([.chunks([Array("data: a\n\n".utf8)])], clock)
        let request = SourceRequest(source: "flags.example.com", url: try #require(Self.address))
        await EventFeed(client, request).run { news in
            switch news {
            case .opened where clock.waits.count == 3: clock.turn(by: life)
            case .lost: return clock.waits.count < 4
            default: break
            }
            return true
        }
        #expect(clock.waits == [1, 2, 4, life < 60 ? 8 : 1].map { .seconds($0) })
    }

    @Test(
        "an id that cannot stand in a header is not sent", arguments: ["a\u{7}b", String(repeating: "x", count: 1_025)])
    func unsendableID(id: String) async throws {
        let clock = ManualClock()
        let (client, transport) = client([.chunks([Array("id: \(id)\ndata: a\n\n".utf8)])], clock)
        let request = SourceRequest(source: "flags.example.com", url: try #require(Self.address))
        await EventFeed(client, request).run { news in
            if case .lost = news { clock.waits.count < 2 } else { true }
        }
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, nil, nil])
    }

    @Test("a service that wants nobody to listen is obeyed")
    func noContent() async throws {
        let clock = ManualClock()
        let (client, transport) = client([.response(SourceResponse(status: 204))], clock)
        let request = SourceRequest(source: "flags.example.com", url: try #require(Self.address))
        let waits = Collected<Duration?>()
        await EventFeed(client, request).run { news in
            if case .lost(_, let wait) = news { await waits.add(wait) }
            return true
        }
        #expect(await waits.all == [nil] && transport.requests.count == 1 && clock.waits.isEmpty)
    }

    @Test("a stream may be silent for longer than the quietest service is, and as long as that one's SDKs let it be")
    func silence() async throws {
        let (client, transport) = client([.chunks([])], ManualClock())
        _ = try await client.events(SourceRequest(source: "flags.example.com", url: try #require(Self.address)))
        let limits = try #require(transport.limits.first)
        // LaunchDarkly sends a sign of life every 3 minutes. Its SDKs wait 5 for one, so that it may be late.
        let heartbeat = Duration.seconds(180)
        #expect(limits.silence > heartbeat * 1.5 && limits.silence < heartbeat * 2)
        #expect(limits.total < heartbeat, "that is for the answer to begin")
    }

    @Test("a service that wants no pause is left one all the same")
    func noPause() async throws {
        let empty = ScriptedTransport.Answer.chunks([Array("retry: 0\ndata: a\n\n".utf8)])
        let now = ScriptedTransport.Answer.response(
            SourceResponse(status: 503, headers: SourceHeaders([("Retry-After", "0")])))
        let past = ScriptedTransport.Answer.response(
            SourceResponse(status: 429, headers: SourceHeaders([("Retry-After", "Sat, 21 Nov 2020 10:00:00 GMT")])))
        let clock = ManualClock()
        let (client, _) = client([empty, now, past, .failure(.unreachable, "refused")], clock)
        let request = SourceRequest(source: "flags.example.com", url: try #require(Self.address))
        await EventFeed(client, request).run { news in
            if case .lost = news { clock.waits.count < 4 } else { true }
        }
        #expect(clock.waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    }

    @Test(
        "what is no stream of events is an error, and a refusal is not asked about again and again",
        arguments: [
            (
                ScriptedTransport.Answer.chunks([Array("<html>".utf8)], contentType: "text/html"),
                SourceError.Code.malformed
            ),
            (.response(SourceResponse(status: 401)), .refused), (.response(SourceResponse(status: 404)), .missing),
        ])
    func noStream(answer: ScriptedTransport.Answer, code: SourceError.Code) async throws {
        let clock = ManualClock()
        let (client, _) = client([answer], clock)
        let request = SourceRequest(source: "flags.example.com", url: try #require(Self.address))
        let codes = Collected<SourceError.Code>()
        await EventFeed(client, request).run { news in
            if case .lost(let error, _) = news { await codes.add(error.code) }
            return await codes.all.count < 2
        }
        #expect(await codes.all == [code, code])
        #expect(clock.waits == [code == .refused ? .seconds(300) : .seconds(1)])
    }

    @Test("an event that never ends is refused")
    func endless() async throws {
        var (client, _) = client(
            [.chunks(Array(repeating: Array("data: 0123456789\n".utf8), count: 100))], ManualClock())
        client.streamLimits.bodySize = 500
        let request = SourceRequest(source: "flags.example.com", url: try #require(Self.address))
        var events = try await client.events(request).makeAsyncIterator()
        let error = await #expect(throws: SourceError.self) { try await events.next() }
        #expect(error?.code == .tooLarge)
    }
}

/// What came, in order.
actor Collected<Element: Sendable> {
    private(set) var all: [Element] = []

    func add(_ element: Element) { all.append(element) }
}
