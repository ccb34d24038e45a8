#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagSourceLaunchDarkly
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("LaunchDarkly: live updates", .limitedParallelism)
struct LaunchDarklyStreamTests {
    /// A source with a subscription, its updates and its version.
    private final class Listener {
        let server: LoopbackLaunchDarkly
        let source: LaunchDarklySource
        var liveUpdates: AsyncStream<LiveUpdateEvent>.Iterator
        var version: String?

        init(_ server: LoopbackLaunchDarkly, _ change: (inout LaunchDarklySettings) -> Void = { _ in }) throws {
            self.server = server
            var settings = try LaunchDarklySettings(environment: "client-side-id", baseURL: server.url)
            change(&settings)
            source = LaunchDarklySource(
                settings,
                client: SourceClient(transport: HTTPTransport(), retry: .none, clock: ManualClock().sourceClock))
            liveUpdates = try #require(source.changes()).makeAsyncIterator()
        }

        /// Fetches the current values like a store.
        func fetch() async throws -> [String: String] {
            guard case .values(let bytes, let version) = try await source.fetch(since: version) else { return [:] }
            self.version = version
            let values = try source.decode(bytes).values
            return Dictionary(uniqueKeysWithValues: values.keys.map { ($0.string, values[$0]?.string ?? "") })
        }

        /// Waits for the stream and its first event.
        func begin() async throws {
            #expect(await liveUpdates.next() == .connected)
            #expect(await liveUpdates.next() == .changed)
            try await server.server.waitForListener(LoopbackLaunchDarkly.clientStream)
        }

        var polls: Int { server.server.requests.count { $0.path.contains("evalx") } }
    }

    private func push(_ name: String, _ data: String, _ server: LoopbackLaunchDarkly) async {
        await server.server.push(ServerSentEvent(name: name, data: data), to: LoopbackLaunchDarkly.clientStream)
    }

    @Test func `the stream sends all flags first, then single flags, and no fetch requests them again`() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("a", "1"), .init("b", "2")]))
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "1", "b": "2"])

        await listener.server.patch(.init("a", "7", version: 2))
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await listener.fetch() == ["a": "7", "b": "2"])
        await listener.server.patch(.init("c", "3", version: 1))
        #expect(await listener.liveUpdates.next() == .changed)
        await listener.server.delete("b", version: 2)
        await push("ping", "", listener.server)
        #expect(
            await listener.liveUpdates.next() == .changed,
            "only the ping is reported, because the change of c is not fetched yet")
        #expect(try await listener.fetch() == ["a": "7", "c": "3"])

        await listener.server.put([.init("only", "true")])
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await listener.fetch() == ["only": "true"])
        #expect(listener.polls == 0)
        _ = try await listener.fetch()
        #expect(listener.polls == 1, "another fetch requests the service again")
        #expect(
            listener.server.server.requests.last?.headers["If-None-Match"] == nil,
            "a streamed version is not sent as an ETag")
    }

    @Test func `a response and the stream give the same bytes for the same flags in any order`() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("b", "2"), .init("a", "1")]))
        let fetched = try await listener.source.fetch(since: nil)
        try await listener.begin()
        let streamed = try await listener.source.fetch(since: nil)
        guard case (.values(let bytes, _), .values(let same, _)) = (fetched, streamed) else {
            Issue.record("There are no flags: \(fetched), \(streamed)")
            return
        }
        #expect(bytes == same)
        // A patch contains the flag's key as a member; a full set does not.
        await listener.server.patch(.init("a", "7", version: 2))
        #expect(await listener.liveUpdates.next() == .changed)
        let patched = try await listener.source.fetch(since: nil)
        let fetchedAgain = try await listener.source.fetch(since: nil)
        guard case (.values(let single, _), .values(let whole, _)) = (patched, fetchedAgain) else {
            Issue.record("There are no flags: \(patched), \(fetchedAgain)")
            return
        }
        #expect(single == whole && single != bytes)
        await listener.server.put([.init("a", "7", version: 2), .init("b", "2")])
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await listener.source.fetch(since: nil) == patched)
    }

    @Test func `readPendingUpdate returns a streamed update once, without a request`() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("a", "1")]))
        try await listener.begin()
        guard case .values(let bytes, let version)? = listener.source.readPendingUpdate(since: nil) else {
            Issue.record("readPendingUpdate returned no update")
            return
        }
        #expect(try listener.source.decode(bytes).values["a"] == "1")
        #expect(listener.source.readPendingUpdate(since: nil) == nil)
        await listener.server.put([.init("a", "1")])
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(listener.source.readPendingUpdate(since: version) == .unchanged && listener.polls == 0)
    }

    @Test func `a patch that is not newer is ignored, and an old patch does not restore a deleted flag`() async throws {
        let listener = try Listener(
            try await LoopbackLaunchDarkly([.init("a", "1", version: 5), .init("b", "1", version: nil)]))
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "1", "b": "1"])
        for data in [#"{"key":"a","value":2,"version":5}"#, #"{"key":"a","value":2,"version":4}"#] {
            await push("patch", data, listener.server)
        }
        await push("delete", #"{"key":"a","version":5}"#, listener.server)
        await push("delete", #"{"key":"a","version":6}"#, listener.server)
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await listener.fetch() == ["b": "1"])
        await push("patch", #"{"key":"a","value":3,"version":6}"#, listener.server)
        await push("patch", #"{"key":"b","value":4,"version":1}"#, listener.server)
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await listener.fetch() == ["b": "4"])
        await push("patch", #"{"key":"a","value":5}"#, listener.server)
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await listener.fetch() == ["a": "5", "b": "4"], "a patch without a version applies")
    }

    @Test func `an older response does not undo streamed changes`() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("a", "1"), .init("b", "1")]))
        try await listener.begin()
        _ = try await listener.fetch()
        await listener.server.patch(.init("a", "2", version: 2))
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await listener.fetch() == ["a": "2", "b": "1"])
        await listener.server.delete("b", version: 2)
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await listener.fetch() == ["a": "2"])
        listener.server.replace([.init("a", "1"), .init("b", "1"), .init("new", "1", version: 9)])
        #expect(try await listener.fetch() == ["a": "2", "new": "1"])
        #expect(listener.polls == 1)
    }

    @Test func `the same set streamed again is unchanged`() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("a", "1"), .init("b", "1")]))
        try await listener.begin()
        _ = try await listener.fetch()
        let version = listener.version
        #expect(version?.hasPrefix("stream:") == true)
        await listener.server.put([.init("b", "1"), .init("a", "1")])
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await listener.source.fetch(since: version) == .unchanged)
    }

    @Test func `a ping or an unreadable event causes a request; other events and heartbeats do not`() async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.pingOnly()
        let listener = try Listener(server)
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "1"] && listener.polls == 1)
        await push("new-kind", "{}", server)
        await server.heartbeat()
        await push("patch", "no JSON", server)
        #expect(await listener.liveUpdates.next() == .changed)
        await push("patch", #"{"key":"a","value":2,"version":2}"#, server)
        #expect(await listener.liveUpdates.next() == .changed, "a patch of unknown flags causes a request")
        await push("ping", "", server)
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await listener.source.fetch(since: listener.version) == .unchanged)
    }

    @Test func `a broken stream reconnects, and its earlier state is discarded`() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("a", "1", version: 9)]))
        try await listener.begin()
        listener.server.replace([.init("a", "2", version: 1)])
        await listener.server.server.breakOff(LoopbackLaunchDarkly.clientStream)
        guard case .disconnected = await listener.liveUpdates.next() else {
            Issue.record("the end of the stream is not reported")
            return
        }
        #expect(await listener.liveUpdates.next() == .connected)
        #expect(await listener.liveUpdates.next() == .changed)
        #expect(try await listener.fetch() == ["a": "2"])
    }

    @Test(
        arguments: [401, 402, 403, 404, 405, 409, 410, 413, 422, 451, 400, 408, 429, 500, 501, 503])
    func `a permanent error status ends the subscription; a temporary one reconnects`(status: Int) async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.server.inject(.status(status), times: 2)
        let source = LaunchDarklySource(
            try LaunchDarklySettings(environment: "client-side-id", baseURL: server.url),
            client: SourceClient(transport: HTTPTransport(), retry: .none, clock: ManualClock().sourceClock))
        var liveUpdates: [String] = []
        for await update in try #require(source.changes()) {
            switch update {
            case .connected: liveUpdates.append("connected")
            case .disconnected: liveUpdates.append("disconnected")
            case .changed: break
            }
            if update == .connected { break }
        }
        let isPermanent = ![400, 408, 429, 500, 501, 503].contains(status)
        #expect(liveUpdates == (isPermanent ? ["disconnected"] : ["disconnected", "disconnected", "connected"]))
        #expect(server.server.requests.count == (isPermanent ? 1 : 3))
    }

    @Test(
        arguments: [true, false])
    func `REPORT is used if enabled; if it is not supported the context is in the URL`(isKnown: Bool) async throws {
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
        arguments: [400, 405, 501, 408, 429, 500, 502, 503])
    func `only a status that means an unknown method switches the stream from REPORT to GET`(status: Int) async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.server.inject(.status(status))
        let listener = try Listener(server) { $0.usesReport = true }
        let isUnknown = [400, 405, 501].contains(status)
        if !isUnknown {
            guard case .disconnected = await listener.liveUpdates.next() else {
                Issue.record("the failure is not reported")
                return
            }
        }
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "1"])
        #expect(try await listener.fetch() == ["a": "1"], "the second fetch sends a request")
        let method = isUnknown ? "GET" : "REPORT"
        #expect(server.server.requests.map(\.method) == ["REPORT", method, method])
    }

    @Test func `ending the subscription closes the connection`() async throws {
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
#endif
