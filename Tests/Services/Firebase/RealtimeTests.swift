#if Network
import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTesting
import Synchronization
import TestSupport
import Testing
import VendorServers

@testable import FlagSourceFirebase

/// Firebase as an app: realtime updates.
@Suite(.limitedParallelism, .timeLimit(.minutes(10)))
struct RealtimeTests {
    /// A source with a subscription, its updates and its version.
    private final class Listener {
        let server: LoopbackFirebaseApps
        let source: FirebaseClientSource
        let clock: ManualClock
        var liveUpdates: AsyncStream<LiveUpdateEvent>.Iterator
        var version: String?

        init(_ server: LoopbackFirebaseApps, _ clock: ManualClock) throws {
            (self.server, self.clock) = (server, clock)
            source = try server.source(
                SourceClient(transport: HTTPTransport(), retry: .none, clock: clock.sourceClock))
            liveUpdates = try #require(source.changes()).makeAsyncIterator()
        }

        func fetch() async throws -> [String: String] {
            let values = try await source.fetchValues(since: version)
            version = values.version
            return values.texts
        }

        /// Announces the newest version, and expects a change.
        func announce() async {
            await server.announce()
            #expect(await liveUpdates.next() == .changed)
        }

        /// Breaks off the stream, and expects another connection.
        func reconnect() async {
            await server.server.breakOff(LoopbackFirebaseApps.stream)
            #expect(await disconnectionError()?.code == .unreachable)
            #expect(await liveUpdates.next() == .connected)
        }

        /// Waits for the next update. Returns its error if it is `.disconnected`, otherwise `nil`.
        func disconnectionError() async -> SourceError? {
            guard case .disconnected(let error)? = await liveUpdates.next() else { return nil }
            return error
        }

        var fetches: [LoopbackRequest] { server.server.requests.filter(RealtimeTests.isFetch) }
        var fetchTypes: [String] { fetches.compactMap { $0.headers["X-Firebase-RC-Fetch-Type"] } }
        var connections: [LoopbackRequest] { server.server.requests.filter(RealtimeTests.isSubscription) }
    }

    private static func isFetch(_ request: LoopbackRequest) -> Bool { request.path.hasSuffix(":fetch") }

    private static func isSubscription(_ request: LoopbackRequest) -> Bool {
        request.path.hasSuffix(":streamFetchInvalidations")
    }

    /// A listener with an open stream, or one whose first subscriptions get `first` as the response.
    private func listener(responding first: LoopbackReply? = nil, times: Int = .max) async throws -> Listener {
        let clock = ManualClock()
        let server = try await LoopbackFirebaseApps(["menu": "old"], now: { clock.now })
        server.server.respond { request in
            let isFirst = server.server.requests.count(where: Self.isSubscription) <= times
            if let first, isFirst, Self.isSubscription(request) { return first }
            return server.reply(to: request)
        }
        let listener = try Listener(server, clock)
        if first == nil {
            #expect(await listener.liveUpdates.next() == .connected)
            try await server.server.waitForListener(LoopbackFirebaseApps.stream)
        }
        return listener
    }

    /// A listener that has fetched once, before the values became new. Later fetches get `reply` as the response.
    private func fetchedListener(fetching reply: LoopbackReply? = nil) async throws -> Listener {
        let listener = try await listener()
        _ = try await listener.fetch()
        let server = listener.server
        server.server.respond { request in
            if let reply, Self.isFetch(request) { reply } else { server.reply(to: request) }
        }
        server.set(["menu": "new"])
        return listener
    }

    @Test func `an announced change is fetched immediately, and the next fetch sends no request`() async throws {
        let listener = try await listener()
        let body = try #require(listener.connections.first?.json)
        #expect(body["lastKnownVersionNumber"]?.text == "0" && body["project"]?.text == "123")
        #expect(listener.connections.first?.path == "/v1/projects/123/namespaces/firebase:streamFetchInvalidations")
        #expect(listener.connections.first?.headers["X-Google-GFE-Can-Retry"] == "true")
        #expect(try await listener.fetch() == ["menu": "old"])
        listener.server.set(["menu": "new"])
        await listener.announce()
        let count = listener.fetches.count
        #expect(try await listener.fetch() == ["menu": "new"])
        #expect(listener.fetches.count == count)
        #expect(listener.fetches.last?.headers["X-Firebase-RC-Fetch-Type"] == "REALTIME/1")
        #expect(listener.clock.waits == [.seconds(2)], "the random wait of 0 to 3 s before the fetch")
    }

    @Test func `delayed values are requested up to three times`() async throws {
        let listener = try await fetchedListener()
        let server = listener.server
        server.server.respond { request in
            let isFirst = Self.isFetch(request) && server.server.requests.count(where: Self.isFetch) == 2
            return isFirst ? .json(#"{"state": "NO_CHANGE", "templateVersion": "1"}"#) : server.reply(to: request)
        }
        await listener.announce()
        #expect(try await listener.fetch() == ["menu": "new"])
        #expect(listener.fetchTypes == ["BASE/1", "REALTIME/1", "REALTIME/2"])
    }

    @Test(arguments: [(429, 600), (429, nil), (503, nil)] as [(Int, Int64?)])
    func `a rate-limited update is requested once, and later fetches wait for retryAfter`(
        status: Int, requested: Int64?
    ) async throws {
        let headers = requested.map { [("Retry-After", "\($0)")] } ?? []
        let listener = try await fetchedListener(fetching: .status(status, headers: headers))
        for _ in 1...2 {
            await listener.announce()
            let error = try #require(await listener.source.fetchError(since: listener.version))
            #expect(error.status == status)
            // The short wait before the request advances the clock too.
            let wait = try #require(error.retryAfter)
            #expect(.seconds((requested ?? 120) - 2)...(.seconds(requested ?? 120)) ~= wait, "\(wait)")
            #expect(listener.fetches.count == 2)
        }
        listener.clock.turn(by: requested ?? 120)
        let server = listener.server
        server.server.respond { server.reply(to: $0) }
        #expect(try await listener.fetch() == ["menu": "new"])
    }

    @Test func `values of an older version than the announced one are used, and requested three times`() async throws {
        let listener = try await fetchedListener(
            fetching: .json(
                #"{"entries": {"menu": "older"}, "state": "UPDATE", "templateVersion": "1"}"#,
                headers: [("ETag", "one")]))
        await listener.announce()
        #expect(try await listener.fetch() == ["menu": "older"])
        try await listener.server.server.waitForRequests(4, where: Self.isFetch)
    }

    @Test func `an update without changes is requested in two rounds of three requests, then ignored`() async throws {
        let listener = try await fetchedListener(fetching: .status(304))
        for _ in 1...3 { await listener.server.announce() }
        let server = listener.server
        try await server.server.waitForRequests(7, where: Self.isFetch)
        server.server.respond { server.reply(to: $0) }
        server.set(["menu": "newer"])
        await listener.announce()
        let attempts = ["REALTIME/1", "REALTIME/2", "REALTIME/3"]
        #expect(listener.fetchTypes == ["BASE/1"] + attempts + attempts + ["REALTIME/1"])
    }

    @Test func `the version of cached values is sent as the last known version`() async throws {
        let listener = try await listener()
        // As at launch, when cached values are decoded.
        _ = try listener.source.decode(
            Array(#"{"entries": {"menu": "old"}, "state": "UPDATE", "templateVersion": "7"}"#.utf8))
        await listener.reconnect()
        #expect(listener.connections.last?.json?["lastKnownVersionNumber"]?.text == "7")
    }

    @Test func `connections that the service closes without a message reconnect with a backoff`() async throws {
        let listener = try await listener(responding: .json("["), times: 8)
        let (server, clock) = (listener.server, listener.clock)
        for _ in 1...8 {
            #expect(await listener.liveUpdates.next() == .connected)
            #expect(await listener.disconnectionError()?.code == .unreachable)
        }
        #expect(await listener.liveUpdates.next() == .connected)
        #expect(clock.waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        try await server.server.waitForListener(LoopbackFirebaseApps.stream)
        _ = try await listener.fetch()
        await server.push(#"{"latestTemplateVersionNumber":"1"}"#)
        await server.push(#"{"retryIntervalSeconds":0}"#)
        server.set(["menu": "new"])
        await listener.announce()
        await listener.reconnect()
        #expect(clock.waits.last == .seconds(60), "an event does not shorten the wait")
        try await server.server.waitForListener(LoopbackFirebaseApps.stream)
        clock.turn(by: 60)
        await listener.reconnect()
        #expect(clock.waits.last == .seconds(1), "a connection of a minute resets the backoff")
    }

    @Test func `a known version is not fetched, and unchanged values are not an update`() async throws {
        let listener = try await listener()
        _ = try await listener.fetch()
        await listener.server.push(#"{"latestTemplateVersionNumber":"1"}"#)
        await listener.server.push(#"{"retryIntervalSeconds":"5"}"#)
        listener.server.set(["menu": "new"])
        await listener.announce()
        #expect(listener.fetches.count == 2)
    }

    @Test func `live updates end if the service disables them`() async throws {
        let listener = try await listener()
        await listener.server.push(#"{"featureDisabled":true}"#)
        #expect(await listener.disconnectionError()?.description.contains("disabled live updates") == true)
        #expect(await listener.liveUpdates.next() == nil)
    }

    @Test func `a closed connection reconnects after the service's retry interval`() async throws {
        let listener = try await fetchedListener()
        await listener.server.push(#"{"retryIntervalSeconds":300}"#)
        // If this later message has been read, the retry interval has been read too.
        await listener.announce()
        _ = try await listener.fetch()
        await listener.reconnect()
        #expect(listener.clock.waits.last == .seconds(300))
        #expect(listener.connections.last?.headers["If-None-Match"] == listener.version)
        #expect(listener.connections.last?.json?["lastKnownVersionNumber"]?.text == "2")
    }

    @Test func `a failing connection is tried seven times with a growing backoff`() async throws {
        let listener = try await listener(responding: .status(503))
        var last: SourceError?
        while let error = await listener.disconnectionError() { last = error }
        #expect(last?.code == .faulty && last?.description.contains("7 times") == true)
        #expect(listener.connections.count == 7)
        #expect(listener.clock.waits == [120, 240, 480, 960, 1_920, 3_840].map { .seconds($0) })
    }

    private static func rejection(_ code: String) -> String {
        #"{"error": {"code": \#(code), "message": "it is AIza-hush", "status": "ODD"}}"#
    }

    @Test(
        arguments: [
            ("429", .rateLimited, true), ("503", .faulty, true), ("null", .faulty, true), ("400", .rejected, false),
            ("500", .faulty, false), ("403", .refused, false),
        ] as [(String, SourceError.Code, Bool)])
    func `an error inside the stream has Firebase's message, and a temporary one is retried`(
        code: String, kind: SourceError.Code, isRetried: Bool
    ) async throws {
        let listener = try await listener(responding: .json("[\(Self.rejection(code))]"), times: 1)
        #expect(await listener.liveUpdates.next() == .connected)
        let error = try #require(await listener.disconnectionError())
        #expect(error.code == kind && error.sentence.contains("it is ***"), "\(error)")
        #expect(error.sentence.contains("Realtime API") == (kind == .refused), "\(error)")
        #expect(kind == .refused || error.status == Int(code))
        #expect(await listener.liveUpdates.next() == (isRetried ? .connected : nil))
        #expect(listener.connections.count == (isRetried ? 2 : 1))
        #expect(listener.clock.waits == (isRetried ? [.seconds(120)] : []))
    }

    /// Those of the stream faults have further statuses.
    @Test(arguments: [(502, true), (504, true), (501, false)])
    func `a refused subscription is retried after the same statuses as in the SDKs`(status: Int, isRetried: Bool)
        async throws
    {
        let listener = try await listener(responding: .status(status), times: 1)
        #expect(await listener.disconnectionError()?.status == status)
        #expect(await listener.liveUpdates.next() == (isRetried ? .connected : nil))
    }

    /// Rejects the subscription, then sends nothing more on a connection that stays open.
    private struct SlowRejection: SourceTransport {
        let transport = HTTPTransport()

        func send(
            _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
        ) async throws(SourceError) -> SourceResponse {
            try await transport.send(request, limits: limits, progress: progress)
        }

        func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
            let (pieces, feed) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            feed.yield(Array(RealtimeTests.rejection("400").utf8))
            return SourceStream(
                status: 400, headers: SourceHeaders(), chunks: ByteChunks(pieces) { _ in .cancelled("stream") })
        }
    }

    @Test func `waiting for the body of an error has a timeout`() async throws {
        let server = try await LoopbackFirebaseApps(["menu": "old"])
        let source = try server.source(SourceClient(transport: SlowRejection(), retry: .none))
        let (liveUpdates, updates) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
        var subscription = FirebaseSubscription(source: source, updates: updates, timeout: .milliseconds(20))
        await subscription.run()
        updates.finish()
        let seen = await liveUpdates.reduce(into: []) { $0.append($1) }
        guard seen.count == 1, case .disconnected(let error)? = seen.first else {
            Issue.record("\(seen)")
            return
        }
        #expect(error.status == 400 && error.sentence.contains("it is ***"), "\(error)")
    }

    private func messages(_ text: String, inPiecesOf size: Int) -> JSONObjects {
        let (pieces, feed) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) { feed.yield(Array(bytes[start...].prefix(size))) }
        feed.finish()
        return JSONObjects(ByteChunks(pieces) { _ in .cancelled("stream") }, of: "stream", sizeLimit: 60)
    }

    @Test func `messages are parsed from pieces of any size`() async throws {
        let text =
            #"[{"latestTemplateVersionNumber":"29"}, {"a":{"b":"}\"{"},"featureDisabled":true},{"retryIntervalSeconds":7}"#
        for size in 1...text.utf8.count {
            var messages = messages(text, inPiecesOf: size)
            var messageList: [JSONValue] = []
            while let message = try await messages.next() { messageList.append(message) }
            #expect(messageList.map { $0["latestTemplateVersionNumber"]?.text } == ["29", nil, nil])
            #expect(messageList.map { $0["featureDisabled"]?.bool } == [nil, true, nil])
            #expect(messageList.map { $0["retryIntervalSeconds"]?.wholeNumber } == [nil, nil, 7])
        }
    }

    @Test(
        arguments: [
            ("{x}", SourceError.Code.malformed), (#"{"a": "\#(String(repeating: "b", count: 60))""#, .tooLarge),
        ])
    func `a message that is not JSON or too large is an error`(text: String, code: SourceError.Code) async {
        var messages = messages(text, inPiecesOf: 70)
        let error = await #expect(throws: SourceError.self) { try await messages.next() }
        #expect(error?.code == code)
    }
}
#endif
