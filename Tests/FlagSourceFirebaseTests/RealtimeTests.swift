import FlagModel
import FlagRemote
import FlagSourceHTTP
import FlagTesting
import Synchronization
import TestSupport
import Testing
import VendorServers

@testable import FlagSourceFirebase

@Suite("Firebase as an app: realtime updates", .fewAtOnce)
struct RealtimeTests {
    /// A source that listens, and what it has been told.
    private final class Listener {
        let server: LoopbackFirebaseApps
        let source: FirebaseClientSource
        let clock: ManualClock
        var hints: AsyncStream<SourceHint>.Iterator
        var version: String?

        init(
            _ server: LoopbackFirebaseApps, _ clock: ManualClock, keptIn file: FirebaseInstallationFile? = nil,
            patience: Duration = .seconds(86_400)
        ) throws {
            (self.server, self.clock) = (server, clock)
            var time = clock.sourceClock
            if patience < .seconds(86_400) {
                time = SourceClock(
                    now: time.now,
                    sleep: { [sleep = time.sleep] wait in
                        guard wait <= patience else { throw CancellationError() }
                        try await sleep(wait)
                    }, chance: time.chance)
            }
            let app = try FirebaseApp(googleServices: Array(server.googleServicesFile.utf8))
            source = FirebaseClientSource(
                try FirebaseClientSettings(app, address: server.url),
                client: SourceClient(transport: HTTPTransport(), retry: .none, clock: time),
                keptIn: file)
            hints = try #require(source.changes()).makeAsyncIterator()
        }

        func fetch() async throws -> [String: String] {
            guard case .values(let bytes, let version) = try await source.fetch(since: version) else { return [:] }
            self.version = version
            let values = try source.decode(bytes).values
            return Dictionary(uniqueKeysWithValues: values.keys.map { ($0.string, values[$0]?.string ?? "") })
        }

        /// Waits for the stream.
        func begin() async throws {
            #expect(await hints.next() == .connected)
            try await server.server.waitForListener(LoopbackFirebaseApps.stream)
        }

        /// What `hints` says next of a connection that has ended.
        func end() async -> SourceError? {
            guard case .disconnected(let error)? = await hints.next() else { return nil }
            return error
        }

        var fetches: [LoopbackRequest] { server.server.requests.filter { $0.path.hasSuffix(":fetch") } }
        var connections: [LoopbackRequest] {
            server.server.requests.filter { $0.path.hasSuffix(":streamFetchInvalidations") }
        }
    }

    private func listener(_ clock: ManualClock = ManualClock()) async throws -> Listener {
        try Listener(try await LoopbackFirebaseApps(["menu": "old"], now: { clock.now }), clock)
    }

    @Test("a change is fetched at once, and nobody has to ask again")
    func changes() async throws {
        let listener = try await listener()
        try await listener.begin()
        let body = try #require(listener.connections.first?.json)
        #expect(body["lastKnownVersionNumber"]?.text == "0" && body["project"]?.text == "123")
        #expect(listener.connections.first?.path == "/v1/projects/123/namespaces/firebase:streamFetchInvalidations")
        #expect(listener.connections.first?.headers["X-Google-GFE-Can-Retry"] == "true")
        #expect(try await listener.fetch() == ["menu": "old"])
        listener.server.set(["menu": "new"])
        await listener.server.announce()
        #expect(await listener.hints.next() == .changed)
        let count = listener.fetches.count
        #expect(try await listener.fetch() == ["menu": "new"])
        #expect(listener.fetches.count == count)
        #expect(listener.fetches.last?.headers["X-Firebase-RC-Fetch-Type"] == "REALTIME/1")
        #expect(listener.clock.waits == [.seconds(2)], "half of up to three seconds and a bit")
    }

    @Test("values that come late are asked for up to three times")
    func late() async throws {
        let listener = try await listener()
        try await listener.begin()
        _ = try await listener.fetch()
        listener.server.set(["menu": "new"], isDelayed: true)
        let count = Waiter()
        let server = listener.server
        server.server.answer { request in
            // The second question for values finds them.
            if request.path.hasSuffix(":fetch"), await count.next() == 2 { server.catchUp() }
            return server.reply(to: request)
        }
        await server.announce()
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.fetch() == ["menu": "new"])
        let types = listener.fetches.compactMap { $0.headers["X-Firebase-RC-Fetch-Type"] }
        #expect(types == ["BASE/1", "REALTIME/1", "REALTIME/2"])
    }

    private actor Waiter {
        private var count = 0
        func next() -> Int {
            count += 1
            return count
        }
    }

    /// What a fetch of whoever was told of news ends with.
    private func failure(_ listener: Listener) async -> SourceError? {
        do throws(SourceError) {
            _ = try await listener.source.fetch(since: listener.version)
            return nil
        } catch {
            return error
        }
    }

    /// A listener whose service answers each question for values in another way after the first.
    private func listener(
        answering reply: @escaping @Sendable (LoopbackFirebaseApps) -> LoopbackReply
    ) async throws -> Listener {
        let listener = try await listener()
        try await listener.begin()
        _ = try await listener.fetch()
        let server = listener.server
        server.server.answer { request in
            request.path.hasSuffix(":fetch") ? reply(server) : server.reply(to: request)
        }
        server.set(["menu": "new"])
        return listener
    }

    @Test(
        "a service that wants to be left alone is asked once for news, and whoever follows waits that long",
        arguments: [(429, 600), (429, nil), (503, nil)] as [(Int, Int64?)])
    func leftAlone(status: Int, asked: Int64?) async throws {
        let headers = asked.map { [("Retry-After", "\($0)")] } ?? []
        let listener = try await listener { _ in .status(status, headers: headers) }
        for _ in 1...2 {
            await listener.server.announce()
            #expect(await listener.hints.next() == .changed)
            let error = try #require(await failure(listener))
            #expect(error.status == status)
            // The moments before a question are of the clock's too.
            let wait = try #require(error.retryAfter)
            #expect(.seconds((asked ?? 120) - 2)...(.seconds(asked ?? 120)) ~= wait, "\(wait)")
            #expect(listener.fetches.count == 2)
        }
        listener.clock.turn(by: asked ?? 120)
        let server = listener.server
        server.server.answer { server.reply(to: $0) }
        #expect(try await listener.fetch() == ["menu": "new"])
    }

    @Test("values that do not come are told as a failure after three questions")
    func outdated() async throws {
        let listener = try await listener { _ in
            .json(
                #"{"entries": {"menu": "old"}, "state": "UPDATE", "templateVersion": "1"}"#, headers: [("ETag", "one")])
        }
        await listener.server.announce()
        #expect(await listener.hints.next() == .changed)
        #expect(
            await failure(listener)?.sentence.contains("version 2 of the template, but returned version 1") == true)
        #expect(listener.fetches.count == 4)
        let server = listener.server
        server.server.answer { server.reply(to: $0) }
        #expect(try await listener.fetch() == ["menu": "new"], "the failure is told once")
    }

    @Test("a template that changes nothing for this app is asked for again once, as the service may not have it yet")
    func unchanged() async throws {
        let listener = try await listener { _ in .status(304) }
        for _ in 1...3 { await listener.server.announce() }
        let server = listener.server
        try await server.server.waitForRequests(7) { $0.path.hasSuffix(":fetch") }
        server.server.answer { server.reply(to: $0) }
        server.set(["menu": "newer"])
        await server.announce()
        #expect(await listener.hints.next() == .changed)
        let types = listener.fetches.compactMap { $0.headers["X-Firebase-RC-Fetch-Type"] }
        let attempts = ["REALTIME/1", "REALTIME/2", "REALTIME/3"]
        #expect(types == ["BASE/1"] + attempts + attempts + ["REALTIME/1"])
    }

    @Test("values between what is known and what was told are not lost", arguments: [200, 503])
    func between(last: Int) async throws {
        let count = Waiter()
        let listener = try await listener()
        try await listener.begin()
        _ = try await listener.fetch()
        let server = listener.server
        server.server.answer { request in
            guard request.path.hasSuffix(":fetch") else { return server.reply(to: request) }
            if await count.next() == 3, last != 200 { return .status(last) }
            return .json(
                #"{"entries": {"menu": "between"}, "state": "UPDATE", "templateVersion": "2"}"#,
                headers: [("ETag", "two")])
        }
        server.set(["menu": "new"])
        server.set(["menu": "newer"])
        await server.announce()
        #expect(await listener.hints.next() == .changed)
        #expect(try await listener.fetch() == ["menu": "between"])
        #expect(listener.fetches.count == 4)
    }

    @Test("a wait that is over does not begin anew with what was told during it")
    func restraintIsOver() async throws {
        let listener = try await listener { _ in .status(429, headers: [("Retry-After", "600")]) }
        for _ in 1...2 {
            await listener.server.announce()
            #expect(await listener.hints.next() == .changed)
        }
        listener.clock.turn(by: 600)
        let server = listener.server
        server.server.answer { server.reply(to: $0) }
        #expect(try await listener.fetch() == ["menu": "new"])
    }

    @Test("values of an earlier run are no news")
    func restart() async throws {
        let listener = try await listener()
        // As whoever keeps values reads them at the start.
        _ = try listener.source.decode(
            Array(#"{"entries": {"menu": "old"}, "state": "UPDATE", "templateVersion": "7"}"#.utf8))
        try await listener.begin()
        await listener.server.server.breakOff(LoopbackFirebaseApps.stream)
        _ = await listener.end()
        #expect(await listener.hints.next() == .connected)
        #expect(listener.connections.last?.json?["lastKnownVersionNumber"]?.text == "7")
    }

    @Test("connections that the service ends without a word are made ever more seldom")
    func closed() async throws {
        let clock = ManualClock()
        let server = try await LoopbackFirebaseApps(["menu": "old"], now: { clock.now })
        let count = Waiter()
        server.server.answer { request in
            guard request.path.hasSuffix(":streamFetchInvalidations"), await count.next() <= 8 else {
                return server.reply(to: request)
            }
            return .json("[")
        }
        let listener = try Listener(server, clock)
        for _ in 1...8 {
            #expect(await listener.hints.next() == .connected)
            #expect(await listener.end()?.code == .unreachable)
        }
        #expect(await listener.hints.next() == .connected)
        #expect(clock.waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        try await server.server.waitForListener(LoopbackFirebaseApps.stream)
        _ = try await listener.fetch()
        await server.push(#"{"latestTemplateVersionNumber":"1"}"#)
        await server.push(#"{"retryIntervalSeconds":0}"#)
        server.set(["menu": "new"])
        await server.announce()
        #expect(await listener.hints.next() == .changed)
        await server.server.breakOff(LoopbackFirebaseApps.stream)
        #expect(await listener.end()?.code == .unreachable)
        #expect(await listener.hints.next() == .connected)
        #expect(clock.waits.last == .seconds(60), "that it told of something makes it no better")
        try await server.server.waitForListener(LoopbackFirebaseApps.stream)
        clock.turn(by: 60)
        await server.server.breakOff(LoopbackFirebaseApps.stream)
        #expect(await listener.end()?.code == .unreachable)
        #expect(await listener.hints.next() == .connected)
        #expect(clock.waits.last == .seconds(1), "one that has stood for a minute begins anew")
    }

    @Test("what is known already is not fetched, and what has not changed is not told")
    func known() async throws {
        let listener = try await listener()
        try await listener.begin()
        _ = try await listener.fetch()
        await listener.server.push(#"{"latestTemplateVersionNumber":"1"}"#)
        await listener.server.push(#"{"retryIntervalSeconds":"5"}"#)
        listener.server.set(["menu": "new"])
        await listener.server.announce()
        #expect(await listener.hints.next() == .changed)
        #expect(listener.fetches.count == 2)
    }

    @Test("updates that the service switches off end")
    func disabled() async throws {
        let listener = try await listener()
        try await listener.begin()
        await listener.server.push(#"{"featureDisabled":true}"#)
        #expect(await listener.end()?.description.contains("disabled live updates") == true)
        #expect(await listener.hints.next() == nil)
    }

    @Test("a connection that ends is made again, not before the service wants it")
    func again() async throws {
        let listener = try await listener()
        try await listener.begin()
        _ = try await listener.fetch()
        await listener.server.push(#"{"retryIntervalSeconds":300}"#)
        listener.server.set(["menu": "new"])
        await listener.server.announce()
        // What comes after it has been read, so it has.
        #expect(await listener.hints.next() == .changed)
        _ = try await listener.fetch()
        await listener.server.server.breakOff(LoopbackFirebaseApps.stream)
        #expect(await listener.end()?.code == .unreachable)
        #expect(await listener.hints.next() == .connected)
        #expect(listener.clock.waits.last == .seconds(300))
        #expect(listener.connections.last?.headers["If-None-Match"] == listener.version)
        #expect(listener.connections.last?.json?["lastKnownVersionNumber"]?.text == "2")
    }

    @Test("a connection that does not come about is tried seven times in a row, ever more seldom")
    func exhausted() async throws {
        let clock = ManualClock()
        let server = try await LoopbackFirebaseApps(["menu": "old"], now: { clock.now })
        server.server.answer { request in
            request.path.hasSuffix(":streamFetchInvalidations") ? .status(503) : server.reply(to: request)
        }
        let listener = try Listener(server, clock)
        var last: SourceError?
        while let error = await listener.end() { last = error }
        #expect(last?.code == .faulty && last?.description.contains("7 times") == true)
        #expect(listener.connections.count == 7)
        #expect(clock.waits == [120, 240, 480, 960, 1_920, 3_840].map { .seconds($0) })
    }

    /// A file that outlives the sources of a test.
    private final class Kept: Sendable {
        let content = Mutex<[UInt8]?>(nil)

        var file: FirebaseInstallationFile {
            FirebaseInstallationFile(
                read: { self.content.withLock { $0 } },
                update: { change in self.content.withLock { $0 = change($0) ?? $0 } })
        }
    }

    @Test("attempts and the wait after them count in the next run, until a connection comes about")
    func restartInTheBackOff() async throws {
        let (clock, kept) = (ManualClock(), Kept())
        let server = try await LoopbackFirebaseApps(["menu": "old"], now: { clock.now })
        server.server.answer { request in
            request.path.hasSuffix(":streamFetchInvalidations") ? .status(503) : server.reply(to: request)
        }
        func listener() throws -> Listener { try Listener(server, clock, keptIn: kept.file) }
        let exhausted = try listener()
        while await exhausted.end() != nil {}
        #expect(exhausted.connections.count == 7)
        let waits = clock.waits.count
        server.server.forgetRequests()

        let second = try listener()
        let postponed = await second.end()
        #expect(
            postponed?.code == .throttled && postponed?.retryAfter == .seconds(7_680),
            "\(String(describing: postponed))")
        #expect(await second.end()?.sentence.contains("7 times") == true, "there is one attempt left, as in the SDK")
        #expect(await second.hints.next() == nil && second.connections.count == 1)
        #expect(clock.waits.dropFirst(waits) == [.seconds(7_680)])

        clock.turn(by: 7_680)
        server.server.answer { server.reply(to: $0) }
        try await listener().begin()
        server.server.answer { request in
            request.path.hasSuffix(":streamFetchInvalidations") ? .status(503) : server.reply(to: request)
        }
        server.server.forgetRequests()
        let last = try listener()
        while await last.end() != nil {}
        #expect(last.connections.count == 7, "a connection that came about begins anew")
    }

    @Test("a network that was not there, and a clock that was set back, keep the next run from nothing")
    func restartWithoutBackOff() async throws {
        let (clock, kept) = (ManualClock(), Kept())
        let server = try await LoopbackFirebaseApps(["menu": "old"], now: { clock.now })
        for (fault, isSetBack) in [(LoopbackReply.reset, false), (.status(503), true)] {
            server.server.answer { request in
                request.path.hasSuffix(":streamFetchInvalidations") ? fault : server.reply(to: request)
            }
            let exhausted = try Listener(server, clock, keptIn: kept.file)
            while await exhausted.end() != nil {}
            server.server.answer { server.reply(to: $0) }
            if isSetBack { clock.turn(by: -10 * 365 * 86_400) }
            try await Listener(server, clock, keptIn: kept.file).begin()
        }
    }

    @Test("a wait that the service has asked for is kept too")
    func restartInAnAskedWait() async throws {
        let (clock, kept) = (ManualClock(), Kept())
        let server = try await LoopbackFirebaseApps(["menu": "old"], now: { clock.now })
        // Ends before the wait is over, like a run.
        let first = try Listener(server, clock, keptIn: kept.file, patience: .seconds(299))
        try await first.begin()
        await server.push(#"{"retryIntervalSeconds":300}"#)
        _ = try await first.fetch()
        server.set(["menu": "new"])
        await server.announce()
        #expect(await first.hints.next() == .changed, "what comes before it has been read")
        await server.server.breakOff(LoopbackFirebaseApps.stream)
        #expect(await first.end()?.code == .unreachable)
        #expect(await first.hints.next() == nil)
        let second = try Listener(server, clock, keptIn: kept.file)
        #expect(await second.end()?.retryAfter == .seconds(300))
        try await second.begin()
    }

    @Test("an app that may not listen is told what to switch on, and is not tried again", arguments: [true, false])
    func forbidden(inStream: Bool) async throws {
        let clock = ManualClock()
        let server = try await LoopbackFirebaseApps(["menu": "old"], now: { clock.now })
        let refusal = #"{"error": {"code": 403, "message": "API has not been used", "status": "PERMISSION_DENIED"}}"#
        server.server.answer { request in
            guard request.path.hasSuffix(":streamFetchInvalidations") else { return server.reply(to: request) }
            return .json("[\(refusal)]", status: inStream ? 200 : 403)
        }
        let listener = try Listener(server, clock)
        if inStream { #expect(await listener.hints.next() == .connected) }
        let error = await listener.end()
        #expect(error?.code == .refused, "\(String(describing: error))")
        #expect(error?.description.contains("AIza") == false)
        #expect(await listener.hints.next() == nil)
        #expect(listener.connections.count == 1)
    }

    /// A server whose first answer to the question for updates is another one.
    private func server(answering first: LoopbackReply, _ clock: ManualClock) async throws -> LoopbackFirebaseApps {
        let server = try await LoopbackFirebaseApps(["menu": "old"], now: { clock.now })
        let count = Waiter()
        server.server.answer { request in
            guard request.path.hasSuffix(":streamFetchInvalidations"), await count.next() == 1 else {
                return server.reply(to: request)
            }
            return first
        }
        return server
    }

    private static func refusal(_ code: String) -> String {
        #"{"error": {"code": \#(code), "message": "it is AIza-hush", "status": "ODD"}}"#
    }

    @Test("an error inside of the stream that may pass is got over", arguments: ["429", "503", "null"])
    func passingError(code: String) async throws {
        let clock = ManualClock()
        let listener = try Listener(try await server(answering: .json("[\(Self.refusal(code))]"), clock), clock)
        #expect(await listener.hints.next() == .connected)
        let error = try #require(await listener.end())
        #expect(!error.sentence.contains("Realtime API") && error.sentence.contains("it is ***"), "\(error)")
        #expect(error.status == Int(code))
        #expect(await listener.hints.next() == .connected)
        #expect(clock.waits == [.seconds(120)])
    }

    @Test(
        "an error inside of the stream that does not pass ends the updates with Firebase's words",
        arguments: [400, 500])
    func lastingError(code: Int) async throws {
        let clock = ManualClock()
        let listener = try Listener(try await server(answering: .json("[\(Self.refusal("\(code)"))]"), clock), clock)
        #expect(await listener.hints.next() == .connected)
        let error = try #require(await listener.end())
        #expect(!error.sentence.contains("Realtime API") && error.sentence.contains("it is ***"), "\(error)")
        #expect(await listener.hints.next() == nil)
        #expect(listener.connections.count == 1)
    }

    @Test(
        "a refused question for updates is asked again after the statuses that the SDKs name",
        arguments: [
            (408, true), (429, true), (502, true), (503, true), (504, true), (400, false), (500, false), (501, false),
        ])
    func refusedQuestion(status: Int, isAskedAgain: Bool) async throws {
        let clock = ManualClock()
        let listener = try Listener(try await server(answering: .status(status), clock), clock)
        #expect(await listener.end()?.status == status)
        #expect(await listener.hints.next() == (isAskedAgain ? .connected : nil))
    }

    /// Refuses updates, and then says nothing more on a connection that stays.
    private struct LingeringRefusal: SourceTransport {
        let own = HTTPTransport()

        func send(
            _ request: SourceRequest, limits: SourceLimits, progress: @escaping @Sendable (SourceProgress) -> Void
        ) async throws(SourceError) -> SourceResponse {
            try await own.send(request, limits: limits, progress: progress)
        }

        func open(_ request: SourceRequest, limits: SourceLimits) async throws(SourceError) -> SourceStream {
            let (pieces, feed) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            feed.yield(Array(RealtimeTests.refusal("400").utf8))
            return SourceStream(
                status: 400, headers: SourceHeaders(), chunks: ByteChunks(pieces) { _ in .cancelled("stream") })
        }
    }

    @Test("the words of a refusal are waited for so long and no longer", .timeLimit(.minutes(10)))
    func lingeringRefusal() async throws {
        let server = try await LoopbackFirebaseApps(["menu": "old"])
        let app = try FirebaseApp(googleServices: Array(server.googleServicesFile.utf8))
        let source = FirebaseClientSource(
            try FirebaseClientSettings(app, address: server.url),
            client: SourceClient(transport: LingeringRefusal(), retry: .none))
        let (hints, news) = AsyncStream.makeStream(of: SourceHint.self)
        await FirebaseListening(source: source, news: news, patience: .milliseconds(20)).run()
        news.finish()
        var seen: [SourceHint] = []
        for await hint in hints { seen.append(hint) }
        guard seen.count == 1, case .disconnected(let error)? = seen.first else {
            Issue.record("\(seen)")
            return
        }
        #expect(error.status == 400 && error.sentence.contains("it is ***"), "\(error)")
    }

    @Test("messages are found in whatever pieces they come")
    func pieces() throws {
        let text =
            #"[{"latestTemplateVersionNumber":"29"}, {"a":{"b":"}\"{"},"featureDisabled":true},{"retryIntervalSeconds":7}"#
        for size in 1...text.utf8.count {
            var messages = RealtimeMessages()
            var found: [RealtimeMessage?] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                found += messages.take(Array(rest.prefix(size))).map { $0.map(RealtimeMessage.init) }
                rest = rest.dropFirst(size)
            }
            #expect(found.map { $0?.templateVersion } == [29, nil, nil])
            #expect(found.map { $0?.isDisabled } == [false, true, false])
            #expect(found.map { $0?.retryInterval } == [nil, nil, 7])
        }
        var odd = RealtimeMessages()
        #expect(odd.take(Array("{x}".utf8)).map { $0 == nil } == [true])
        #expect(odd.take(Array(#"{"a": "#.utf8)).isEmpty && odd.pendingCount > 0)
    }
}
