import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceLaunchDarkly
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("LaunchDarkly: changes as they happen", .fewAtOnce)
struct LaunchDarklyStreamTests {
    /// A source that listens, and what it has been told.
    private final class Listener {
        let server: LoopbackLaunchDarkly
        let source: LaunchDarklySource
        var hints: AsyncStream<SourceHint>.Iterator
        var version: String?

        init(_ server: LoopbackLaunchDarkly, _ change: (inout LaunchDarklySettings) -> Void = { _ in }) throws {
            self.server = server
            var settings = try LaunchDarklySettings(environment: "client-side-id", baseURL: server.url)
            change(&settings)
            source = LaunchDarklySource(
                settings,
                client: SourceClient(transport: HTTPTransport(), retry: .none, clock: ManualClock().sourceClock))
            hints = try #require(source.changes()).makeAsyncIterator()
        }

        /// The values of now, as a store fetches them.
        func fetch() async throws -> [String: String] {
            guard case .values(let bytes, let version) = try await source.fetch(since: version) else { return [:] }
            self.version = version
            let values = try source.decode(bytes).values
            return Dictionary(uniqueKeysWithValues: values.keys.map { ($0.string, values[$0]?.string ?? "") })
        }

        /// Waits for the stream and its first event.
        func begin() async throws {
            #expect(await hints.next() == .connected)
            #expect(await hints.next() == .changed)
            try await server.server.waitForListener(LoopbackLaunchDarkly.clientStream)
        }

        var polls: Int { server.server.requests.count { $0.path.contains("evalx") } }
    }

    private func push(_ name: String, _ data: String, _ server: LoopbackLaunchDarkly) async {
        await server.server.push(ServerSentEvent(name: name, data: data), to: LoopbackLaunchDarkly.clientStream)
    }

    @Test("the whole set comes first, then single flags; none of it is asked for again")
    func events() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("a", "1"), .init("b", "2")]))
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "1", "b": "2"])

        await listener.server.patch(.init("a", "7", version: 2))
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.fetch() == ["a": "7", "b": "2"])
        await listener.server.patch(.init("c", "3", version: 1))
        #expect(await listener.hints.next() == .changed)
        await listener.server.delete("b", version: 2)
        await push("ping", "", listener.server)
        #expect(await listener.hints.next() == .changed, "of the ping: one fetch takes all news, so they are told once")
        #expect(try await listener.fetch() == ["a": "7", "c": "3"])

        await listener.server.put([.init("only", "true")])
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.fetch() == ["only": "true"])
        #expect(listener.polls == 0)
        _ = try await listener.fetch()
        #expect(listener.polls == 1, "whoever asks again asks the service")
        #expect(
            listener.server.server.requests.last?.headers["If-None-Match"] == nil,
            "a streamed version is none of its own")
    }

    @Test("an answer and the stream name the same flags in the same bytes, whatever their order")
    func sameBytes() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("b", "2"), .init("a", "1")]))
        let answered = try await listener.source.fetch(since: nil)
        try await listener.begin()
        let streamed = try await listener.source.fetch(since: nil)
        guard case (.values(let bytes, _), .values(let same, _)) = (answered, streamed) else {
            Issue.record("There are no flags: \(answered), \(streamed)")
            return
        }
        #expect(bytes == same)
        // A single flag comes with its name in it, which the whole set does not have there.
        await listener.server.patch(.init("a", "7", version: 2))
        #expect(await listener.hints.next() == .changed)
        let patched = try await listener.source.fetch(since: nil)
        let asked = try await listener.source.fetch(since: nil)
        guard case (.values(let single, _), .values(let whole, _)) = (patched, asked) else {
            Issue.record("There are no flags: \(patched), \(asked)")
            return
        }
        #expect(single == whole && single != bytes)
        await listener.server.put([.init("a", "7", version: 2), .init("b", "2")])
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.source.fetch(since: nil) == patched)
    }

    @Test("what the stream has told is there without a question, once")
    func news() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("a", "1")]))
        try await listener.begin()
        guard case .values(let bytes, let version)? = listener.source.takeUpdate(since: nil) else {
            Issue.record("nothing was told")
            return
        }
        #expect(try listener.source.decode(bytes).values["a"] == "1")
        #expect(listener.source.takeUpdate(since: nil) == nil)
        await listener.server.put([.init("a", "1")])
        #expect(await listener.hints.next() == .changed)
        #expect(listener.source.takeUpdate(since: version) == .unchanged && listener.polls == 0)
    }

    @Test("what is not newer changes nothing, and a deleted flag does not come back with an old patch")
    func versions() async throws {
        let listener = try Listener(
            try await LoopbackLaunchDarkly([.init("a", "1", version: 5), .init("b", "1", version: nil)]))
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "1", "b": "1"])
        for data in [#"{"key":"a","value":2,"version":5}"#, #"{"key":"a","value":2,"version":4}"#] {
            await push("patch", data, listener.server)
        }
        await push("delete", #"{"key":"a","version":5}"#, listener.server)
        await push("delete", #"{"key":"a","version":6}"#, listener.server)
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.fetch() == ["b": "1"])
        await push("patch", #"{"key":"a","value":3,"version":6}"#, listener.server)
        await push("patch", #"{"key":"b","value":4,"version":1}"#, listener.server)
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.fetch() == ["b": "4"])
        await push("patch", #"{"key":"a","value":5}"#, listener.server)
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.fetch() == ["a": "5", "b": "4"], "without a version a patch applies")
    }

    @Test("an answer that is older than what the stream has told since does not undo it")
    func joined() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("a", "1"), .init("b", "1")]))
        try await listener.begin()
        _ = try await listener.fetch()
        await listener.server.patch(.init("a", "2", version: 2))
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.fetch() == ["a": "2", "b": "1"])
        await listener.server.delete("b", version: 2)
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.fetch() == ["a": "2"])
        listener.server.replace([.init("a", "1"), .init("b", "1"), .init("new", "1", version: 9)])
        #expect(try await listener.fetch() == ["a": "2", "new": "1"])
        #expect(listener.polls == 1)
    }

    @Test("a set that is streamed anew and is the same is no news")
    func same() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("a", "1"), .init("b", "1")]))
        try await listener.begin()
        _ = try await listener.fetch()
        let version = listener.version
        #expect(version?.hasPrefix("stream:") == true)
        await listener.server.put([.init("b", "1"), .init("a", "1")])
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.source.fetch(since: version) == .unchanged)
    }

    @Test("a ping is a reason to ask, as is what cannot be read; other events and signs of life are not")
    func pings() async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.pingOnly()
        let listener = try Listener(server)
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "1"] && listener.polls == 1)
        await push("new-kind", "{}", server)
        await server.heartbeat()
        await push("patch", "no JSON", server)
        #expect(await listener.hints.next() == .changed)
        await push("patch", #"{"key":"a","value":2,"version":2}"#, server)
        #expect(await listener.hints.next() == .changed, "a patch of a set that is unknown")
        await push("ping", "", server)
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.source.fetch(since: listener.version) == .unchanged)
    }

    @Test("a stream that breaks off is opened again, and what it told before counts no more")
    func broken() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("a", "1", version: 9)]))
        try await listener.begin()
        listener.server.replace([.init("a", "2", version: 1)])
        await listener.server.server.breakOff(LoopbackLaunchDarkly.clientStream)
        guard case .disconnected = await listener.hints.next() else {
            Issue.record("the end of the stream is not told")
            return
        }
        #expect(await listener.hints.next() == .connected)
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.fetch() == ["a": "2"])
    }

    @Test(
        "a refused key, address or question ends listening for good; a service that is busy does not",
        arguments: [401, 402, 403, 404, 405, 409, 410, 413, 422, 451, 400, 408, 429, 500, 501, 503])
    func refused(status: Int) async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.server.inject(.status(status), times: 2)
        let source = LaunchDarklySource(
            try LaunchDarklySettings(environment: "client-side-id", baseURL: server.url),
            client: SourceClient(transport: HTTPTransport(), retry: .none, clock: ManualClock().sourceClock))
        var hints: [String] = []
        for await hint in try #require(source.changes()) {
            switch hint {
            case .connected: hints.append("connected")
            case .disconnected: hints.append("disconnected")
            case .changed: break
            }
            if hint == .connected { break }
        }
        let isForGood = ![400, 408, 429, 500, 501, 503].contains(status)
        #expect(hints == (isForGood ? ["disconnected"] : ["disconnected", "disconnected", "connected"]))
        #expect(server.server.requests.count == (isForGood ? 1 : 3))
    }

    @Test(
        "REPORT is used where it is wanted; where nobody knows it the context goes in the address",
        arguments: [true, false])
    func report(isKnown: Bool) async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.knowReport(isKnown)
        let listener = try Listener(server) { $0.usesReport = true }
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "1"])
        #expect(try await listener.fetch() == ["a": "1"])
        let methods = server.server.requests.map { "\($0.method) \($0.path.split(separator: "/").first ?? "")" }
        #expect(methods == (isKnown ? ["REPORT eval", "REPORT sdk"] : ["REPORT eval", "GET eval", "GET sdk"]))
    }

    @Test(
        "only who does not know REPORT is asked with the context in the address, whatever else goes wrong",
        arguments: [400, 405, 501, 408, 429, 500, 502, 503])
    func reportRefused(status: Int) async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.server.inject(.status(status))
        let listener = try Listener(server) { $0.usesReport = true }
        let isUnknown = [400, 405, 501].contains(status)
        if !isUnknown {
            guard case .disconnected = await listener.hints.next() else {
                Issue.record("the failure is not told")
                return
            }
        }
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "1"])
        #expect(try await listener.fetch() == ["a": "1"], "by a question of its own")
        let method = isUnknown ? "GET" : "REPORT"
        #expect(server.server.requests.map(\.method) == ["REPORT", method, method])
    }

    @Test("whoever stops listening ends the connection")
    func stopping() async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        do {
            let listener = try Listener(server)
            try await listener.begin()
        }
        while server.server.listeners(LoopbackLaunchDarkly.clientStream) > 0 {
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
