import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceOFREP
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("OFREP: changes as they happen", .fewAtOnce)
struct OFREPEventsTests {
    private func source(_ server: LoopbackOFREP, _ clock: ManualClock = ManualClock()) throws -> OFREPSource {
        OFREPSource(
            try OFREPSettings(baseURL: server.url),
            client: SourceClient(transport: HTTPTransport(), clock: clock.sourceClock))
    }

    private func value(_ answer: SourceAnswer, of source: OFREPSource) throws -> String? {
        guard case .values(let bytes, _) = answer else { return nil }
        return try source.decode(bytes).values["a"]?.string
    }

    @Test("an event leads to a question with what the event said, and the stream is heard again after it broke off")
    func events() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let source = try source(server)
        var hints = try #require(source.changes()).makeAsyncIterator()
        #expect(await hints.next() == .changed, "nobody knows the stream yet")
        #expect(try value(try await source.fetch(since: nil), of: source) == "1")
        #expect(await hints.next() == .connected)
        #expect(await hints.next() == .changed)
        #expect(try await source.fetch(since: server.etag) == .unchanged)

        try await server.server.waitForListener(LoopbackOFREP.stream)
        await server.set([.init("a", "2")])
        #expect(await hints.next() == .changed)
        #expect(try value(try await source.fetch(since: "\"old\""), of: source) == "2")
        let asked = try #require(server.server.requests.last)
        #expect(asked.query("flagConfigEtag") == server.etag && asked.query("flagConfigLastModified") == "1771622899")
        #expect(asked.headers["If-None-Match"] == "\"old\"")
        _ = try await source.fetch(since: nil)
        #expect(server.server.requests.last?.query == nil, "what an event said goes along once")

        await server.server.breakOff(LoopbackOFREP.stream)
        guard case .disconnected = await hints.next() else {
            Issue.record("the end of the stream is not told")
            return
        }
        #expect(await hints.next() == .connected)
        #expect(await hints.next() == .changed, "what changed meanwhile was told to nobody")
        #expect(server.server.requests.last { $0.method == "GET" }?.headers["Last-Event-ID"] == "evt-1")
    }

    @Test("events of other kinds say nothing, and a question that fails keeps what the event said")
    func otherEvents() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let source = try source(server)
        var hints = try #require(source.changes()).makeAsyncIterator()
        #expect(await hints.next() == .changed)
        _ = try await source.fetch(since: nil)
        #expect(await hints.next() == .connected)
        #expect(await hints.next() == .changed)
        try await server.server.waitForListener(LoopbackOFREP.stream)
        for data in ["{\"type\": \"other\"}", "17", "{}"] {
            await server.server.push(ServerSentEvent(data: data), to: LoopbackOFREP.stream)
        }
        await server.server.push(
            ServerSentEvent(name: "named", data: #"{"type": "refetchEvaluation", "etag": "e"}"#),
            to: LoopbackOFREP.stream)
        #expect(await hints.next() == .changed)
        await server.server.push(ServerSentEvent(data: "no JSON"), to: LoopbackOFREP.stream)
        #expect(await hints.next() == .changed, "it was said for a reason")
        server.server.inject(.status(403))
        await #expect(throws: SourceError.self) { try await source.fetch(since: nil) }
        _ = try await source.fetch(since: nil)
        #expect(server.server.requests.last?.query == "flagConfigEtag=e")
    }

    @Test("at the start of a run the whole answer is asked for, as streams are never kept; later only what is new")
    func streamsAreFound() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let source = try source(server)
        #expect(try await source.fetch(since: server.etag) == .unchanged)
        let hints = try #require(source.changes())
        guard case .values = try await source.fetch(since: server.etag) else {
            Issue.record("the streams stay unknown")
            return
        }
        #expect(try await source.fetch(since: server.etag) == .unchanged)
        for await hint in hints { if hint == .connected { break } }
    }

    @Test("addresses that are new in every answer wait as streams do that break off", .timeLimit(.minutes(10)))
    func addressesAlwaysNew() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let clock = ManualClock()
        let source = try source(server, clock)
        var hints = try #require(source.changes()).makeAsyncIterator()
        #expect(await hints.next() == .changed)
        for round in 0..<6 {
            server.offerEvents(["round\(round)"])
            _ = try await source.fetch(since: nil)
            #expect(await hints.next() == .connected)
            #expect(await hints.next() == .changed)
        }
        #expect(clock.waits == [1, 2, 4, 8, 16].map { .seconds($0) }, "\(clock.waits)")
        clock.turn(by: 60)
        server.offerEvents((0..<50).map { "many\($0)" })
        _ = try await source.fetch(since: nil)
        guard case .disconnected(let error) = await hints.next() else {
            Issue.record("it is not told that some streams are not listened to")
            return
        }
        #expect(error.sentence.contains("offers 50 streams of changes; 8 of them are used"))
        for _ in 0..<16 { _ = await hints.next() }
        #expect(server.server.requests.count { $0.query("channel")?.hasPrefix("many") == true } == 8)
        #expect(clock.waits.count == 5, "a set that follows after a minute does not wait")
    }

    @Test(
        "an answer with other streams ends the connections of the old ones, one without any ends all",
        .timeLimit(.minutes(10)))
    func streamsChange() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let source = try source(server)
        var hints = try #require(source.changes()).makeAsyncIterator()
        #expect(await hints.next() == .changed)
        var offered: [String] = []
        for channels in [["all"], ["all", "eu"], ["eu", "us"], ["us"], ["us"], [], ["all"]] {
            server.offerEvents(channels)
            _ = try await source.fetch(since: nil)
            // That a connection was ended is no failure to tell of.
            for channel in channels where !offered.contains(channel) {
                #expect(await hints.next() == .connected, "\(channel)")
                #expect(await hints.next() == .changed)
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
        #expect(connections == ["all", "eu", "us", "all"], "a stream that is offered still keeps its connection")
        await server.set([.init("a", "2")])
        #expect(await hints.next() == .changed)
    }

    @Test(
        "that one stream is not heard is told for as long as it is offered, whatever is heard of others",
        .timeLimit(.minutes(10)))
    func obstacles() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        server.server.answer { request in
            request.query("channel") == "all" ? .status(503) : server.reply(to: request)
        }
        // Nothing is tried again.
        let turned = ManualClock()
        let clock = SourceClock(
            now: turned.sourceClock.now, sleep: { _ in try await Task.sleep(for: .seconds(86_400)) }
        ) { 0.5 }
        let source = OFREPSource(
            try OFREPSettings(baseURL: server.url), client: SourceClient(transport: HTTPTransport(), clock: clock))
        var hints = try #require(source.changes()).makeAsyncIterator()
        #expect(await hints.next() == .changed)
        func offer(_ channels: [String]) async throws {
            turned.turn(by: 60)
            server.offerEvents(channels)
            _ = try await source.fetch(since: nil)
        }
        try await offer(["all"])
        for channels in [["all"], ["all", "eu"]] {
            try await offer(channels)
            guard case .disconnected(let error) = await hints.next() else {
                Issue.record("\(channels): it is not told")
                return
            }
            #expect(error.status == 503)
        }
        #expect(await hints.next() == .changed, "of the stream that is heard")
        try await offer(["eu"])
        try await offer(["eu", "us"])
        #expect(await hints.next() == .connected, "nothing is lost that is offered")
        #expect(await hints.next() == .connected)
        #expect(await hints.next() == .changed)
    }

    @Test("whoever stops listening ends the connection; a server without streams is listened to by nobody")
    func stopping() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")])
        let source = try source(server)
        let listening = Task {
            for await hint in try #require(source.changes()) {
                if hint == .connected { return }
                _ = try await source.fetch(since: nil)
            }
        }
        try await listening.value
        while server.server.listeners(LoopbackOFREP.stream) > 0 { try await Task.sleep(for: .milliseconds(1)) }

        let silent = try await LoopbackOFREP([.init("a", "1")], offersEvents: false)
        let other = try self.source(silent)
        let stream = try #require(other.changes())
        _ = try await other.fetch(since: nil)
        #expect(silent.server.requests.count == 1)
        withExtendedLifetime(stream) {}
    }
}
