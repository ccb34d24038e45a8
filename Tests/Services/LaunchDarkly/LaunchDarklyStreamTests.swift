#if Network
import FlagRemote
import FlagSourceHTTP
import FlagSourceLaunchDarkly
import FlagTesting
import Synchronization
import TestSupport
import Testing
import VendorServers

/// LaunchDarkly: live updates.
@Suite(.limitedParallelism)
struct LaunchDarklyStreamTests {
    /// The events of a subscription so far.
    private final class Record: Sendable {
        let events = Mutex<[LiveUpdateEvent]>([])
        let hasEnded = Mutex(false)
    }

    /// A source with a subscription, its events and the version of its values.
    private final class Listener {
        let server: LoopbackLaunchDarkly
        let source: LaunchDarklySource
        private let record = Record()
        private let subscription: Task<Void, Never>
        private(set) var version: String?
        private var readEvents = 0

        init(_ server: LoopbackLaunchDarkly, usesReport: Bool = false) throws {
            self.server = server
            var settings = try LaunchDarklySettings(environment: "client-side-id", baseURL: server.url)
            settings.usesReport = usesReport
            source = LaunchDarklySource(
                settings,
                client: SourceClient(transport: HTTPTransport(), retry: .none, clock: ManualClock().sourceClock))
            let updates = try #require(source.changes())
            subscription = Task { [record] in
                for await event in updates { record.events.withLock { $0.append(event) } }
                record.hasEnded.withLock { $0 = true }
            }
        }

        deinit { subscription.cancel() }

        var events: [LiveUpdateEvent] { record.events.withLock { $0 } }
        var hasEnded: Bool { record.hasEnded.withLock { $0 } }
        var errors: Int { events.count { ![.connected, .changed].contains($0) } }
        var polls: Int { server.server.requests.count { $0.path.contains("evalx") } }

        /// The next event.
        func next() async throws -> LiveUpdateEvent {
            try await wait(for: "event after \(events)") { events.count > readEvents }
            defer { readEvents += 1 }
            return events[readEvents]
        }

        /// Waits for the stream and its first event.
        func begin() async throws {
            #expect(try await next() == .connected)
            #expect(try await next() == .changed)
            try await server.server.waitForListener(LoopbackLaunchDarkly.clientStream)
        }

        /// Fetches the current values like a store.
        func fetch() async throws -> [String: String] {
            let fetched = try await source.fetchValues(since: version)
            version = fetched.version
            return fetched.texts
        }

        /// Requires that a change is reported, and that a fetch then gives these values.
        func expectChange(to values: [String: String], _ place: SourceLocation = #_sourceLocation) async throws {
            #expect(try await next() == .changed, sourceLocation: place)
            #expect(try await fetch() == values, sourceLocation: place)
        }

        func push(_ name: String, _ data: String) async {
            await server.server.push(ServerSentEvent(name: name, data: data), to: LoopbackLaunchDarkly.clientStream)
        }

        /// Breaks off the stream, and returns the number of changes that were reported before.
        func changesUntilEnd() async throws -> Int {
            await server.server.breakOff(LoopbackLaunchDarkly.clientStream)
            try await wait(for: "end of the stream") { errors > 0 }
            return events.prefix { [.connected, .changed].contains($0) }.count { $0 == .changed }
        }
    }

    private func listener(_ flags: LoopbackLaunchDarkly.Flag...) async throws -> Listener {
        let listener = try Listener(try await LoopbackLaunchDarkly(flags))
        try await listener.begin()
        return listener
    }

    @Test func `the stream sends all flags first, then single flags, and no fetch requests them again`() async throws {
        let listener = try await listener(.init("a", "1"), .init("b", "2"))
        #expect(try await listener.fetch() == ["a": "1", "b": "2"])

        await listener.server.patch(.init("a", "7", version: 2))
        try await listener.expectChange(to: ["a": "7", "b": "2"])
        await listener.server.patch(.init("c", "3", version: 1))
        #expect(try await listener.next() == .changed)
        await listener.server.delete("b", version: 2)
        await listener.push("ping", "")
        try await listener.expectChange(to: ["a": "7", "c": "3"])

        await listener.server.put([.init("only", "true")])
        try await listener.expectChange(to: ["only": "true"])
        #expect(listener.polls == 0)
        _ = try await listener.fetch()
        #expect(listener.polls == 1, "another fetch requests the service again")
        #expect(
            listener.server.server.requests.last?.headers["If-None-Match"] == nil,
            "a streamed version is not sent as an ETag")
        #expect(
            try await listener.changesUntilEnd() == 5,
            "the deletion of b is not reported, because the change of c is not fetched yet")
    }

    @Test func `a response and the stream give the same bytes for the same flags in any order`() async throws {
        let listener = try Listener(try await LoopbackLaunchDarkly([.init("b", "2"), .init("a", "1")]))
        let bytes = try await listener.source.fetchValues().bytes
        try await listener.begin()
        #expect(try await listener.source.fetchValues().bytes == bytes)
        // A patch contains the flag's key as a member; a full set does not.
        await listener.server.patch(.init("a", "7", version: 2))
        #expect(try await listener.next() == .changed)
        let patched = try await listener.source.fetch(since: nil)
        let fetched = try await listener.source.fetchValues().bytes
        await listener.server.put([.init("a", "7", version: 2), .init("b", "2")])
        #expect(try await listener.next() == .changed)
        let streamed = try await listener.source.fetchValues()
        #expect(patched == .values(streamed.bytes, version: streamed.version))
        #expect(fetched == streamed.bytes && fetched != bytes)
    }

    @Test func `readPendingUpdate returns a streamed update once, without a request`() async throws {
        let listener = try await listener(.init("a", "1"), .init("b", "1"))
        guard case .values(let bytes, let version?)? = listener.source.readPendingUpdate(since: nil) else {
            Issue.record("readPendingUpdate returned no update")
            return
        }
        #expect(try listener.source.decode(bytes).values["a"] == "1" && version.hasPrefix("stream:"))
        #expect(listener.source.readPendingUpdate(since: nil) == nil)
        await listener.server.put([.init("b", "1"), .init("a", "1")])
        #expect(try await listener.next() == .changed)
        #expect(listener.source.readPendingUpdate(since: version) == .unchanged && listener.polls == 0)
    }

    @Test func `a patch that is not newer is ignored, and an old patch does not restore a deleted flag`() async throws {
        let listener = try await listener(.init("a", "1", version: 5), .init("b", "1", version: nil))
        #expect(try await listener.fetch() == ["a": "1", "b": "1"])
        await listener.push("patch", #"{"key":"a","value":2,"version":5}"#)
        await listener.push("patch", #"{"key":"a","value":2,"version":4}"#)
        await listener.push("delete", #"{"key":"a","version":5}"#)
        await listener.push("patch", #"{"key":"b","value":2,"version":1}"#)
        try await listener.expectChange(to: ["a": "1", "b": "2"])
        await listener.push("delete", #"{"key":"a","version":6}"#)
        try await listener.expectChange(to: ["b": "2"])
        await listener.push("patch", #"{"key":"a","value":3,"version":6}"#)
        await listener.push("patch", #"{"key":"b","value":4,"version":2}"#)
        try await listener.expectChange(to: ["b": "4"])
        await listener.push("patch", #"{"key":"a","value":5}"#)
        // A patch without a version applies.
        try await listener.expectChange(to: ["a": "5", "b": "4"])
        #expect(try await listener.changesUntilEnd() == 5, "ignored events are not reported")
    }

    @Test func `an older response does not undo streamed changes`() async throws {
        let listener = try await listener(.init("a", "1"), .init("b", "1"))
        _ = try await listener.fetch()
        await listener.server.patch(.init("a", "2", version: 2))
        try await listener.expectChange(to: ["a": "2", "b": "1"])
        await listener.server.delete("b", version: 2)
        try await listener.expectChange(to: ["a": "2"])
        listener.server.replace([.init("a", "1"), .init("b", "1"), .init("new", "1", version: 9)])
        #expect(try await listener.fetch() == ["a": "2", "new": "1"])
        #expect(listener.polls == 1)
    }

    @Test func `a ping or an unreadable event causes a request; other events and heartbeats do not`() async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.pingOnly()
        let listener = try Listener(server)
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "1"] && listener.polls == 1)
        await listener.push("new-kind", "{}")
        await server.heartbeat()
        await listener.push("patch", "no JSON")
        // The flags are unknown, because the stream has not sent them.
        await listener.push("patch", #"{"key":"a","value":2,"version":2}"#)
        await listener.push("ping", "")
        for _ in 1...3 { #expect(try await listener.next() == .changed) }
        #expect(try await listener.source.fetch(since: listener.version) == .unchanged && listener.polls == 2)
        #expect(try await listener.changesUntilEnd() == 4)
    }

    @Test func `flags that a stream sends after reconnecting replace newer ones from before`() async throws {
        let listener = try await listener(.init("a", "1", version: 9))
        listener.server.replace([.init("a", "2", version: 1)])
        #expect(try await listener.changesUntilEnd() == 1)
        _ = try await listener.next()
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "2"])
    }

    /// Statuses that no fault of the conformance suite has.
    @Test(arguments: [402, 405, 409, 410, 413, 422, 451, 501])
    func `a permanent error status ends the subscription; a temporary one reconnects`(status: Int) async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        server.server.inject(.status(status), times: 2)
        let listener = try Listener(server)
        try await wait(for: "end or connection") { listener.hasEnded || listener.events.contains(.connected) }
        let isPermanent = status != 501
        #expect(listener.hasEnded == isPermanent && listener.errors == (isPermanent ? 1 : 2))
        #expect(server.server.requests.count == (isPermanent ? 1 : 3))
    }

    @Test(arguments: [nil, 400, 405, 501, 408, 429, 500, 502, 503])
    func `only a status that means an unknown method switches the stream and later requests from REPORT to GET`(
        status: Int?
    ) async throws {
        let server = try await LoopbackLaunchDarkly([.init("a", "1")])
        if let status { server.server.inject(.status(status)) }
        let listener = try Listener(server, usesReport: true)
        let isUnknown = status.map([400, 405, 501].contains) ?? false
        let isFailure = status != nil && !isUnknown
        if isFailure { _ = try await listener.next() }
        #expect(listener.errors == (isFailure ? 1 : 0))
        try await listener.begin()
        #expect(try await listener.fetch() == ["a": "1"])
        #expect(try await listener.fetch() == ["a": "1"], "the second fetch sends a request")
        let requests = server.server.requests.map { "\($0.method) \($0.path.split(separator: "/").first ?? "")" }
        let method = isUnknown ? "GET" : "REPORT"
        #expect(requests == (status == nil ? [] : ["REPORT eval"]) + ["\(method) eval", "\(method) sdk"])
    }
}
#endif
