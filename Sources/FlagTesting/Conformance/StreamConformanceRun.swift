#if Network
import FlagModel
import FlagRemote
import Flags

/// Runs one fault of the stream conformance suite: a store follows the source while the fault is injected into its
/// stream and other requests succeed.
struct StreamConformanceRun {
    private let suite: StreamConformanceSuite
    private let fault: StreamFault
    private let watch = SourceWatch()
    private let clock = ManualClock()
    private let place = TemporaryPlace()
    private let store: FlagStore
    /// A server at another origin. It responds with a status whose sentence no other fault has.
    private let otherServer: LoopbackServer
    private var changes = 0
    private(set) var findings: [String] = []
    /// The most frequent sentence for the fault, without the address.
    private(set) var usualSentence: String?

    init(_ suite: StreamConformanceSuite, _ fault: StreamFault) async throws {
        (self.suite, self.fault) = (suite, fault)
        var streamLimits = SourceFault.generous
        streamLimits.bodySize = 1 << 20
        let client = SourceClient(
            transport: WatchedTransport(base: suite.transport, watch: watch), limits: SourceFault.generous,
            streamLimits: streamLimits, retry: .none, clock: clock.haltingClock(after: fault.watch))
        store = place.store(
            [WatchedSource(base: try suite.source(client), watch: watch)],
            clock: SourceClock(
                now: clock.sourceClock.now, sleep: { [watch] _ in try await watch.waitForPoll() },
                random: clock.sourceClock.random))
        otherServer = try await LoopbackServer { _ in .status(501) }
    }

    mutating func run() async throws {
        let outcome = await store.fetchAndActivate()
        require(outcome == .fetchedFromRemote, "the first fetch fails: \(outcome)")
        switch fault {
        case .clockJump: try await clockJumps()
        case .malformedEvent: try await malformedEvent()
        default: try await faults()
        }
        for line in place.log { requireNoSecret(in: line, "the log") }
        for error in watch.state.disconnections { requireNoSecret(in: "\(error)", "the sentence") }
        for request in otherServer.requests {
            let text = request.headers.fields.map { "\($0.name): \($0.value)" } + [request.path, request.query ?? ""]
            requireNoSecret(
                in: (text + [String(decoding: request.body, as: UTF8.self)]).joined(separator: "\n"), otherServer.url)
        }
    }

    /// Injects the fault into all connections of the stream.
    private mutating func faults() async throws {
        let values = await suite.change(nextNumber(), false)
        require(await store.fetchAndActivate() == .fetchedFromRemote, "the second fetch fails")
        await begin()
        let subscription = Task { [store] in await store.followRemote() }
        defer { subscription.cancel() }
        let isLasting = suite.lasting.contains(fault)
        try await wait("there is neither an end of the watch nor of the stream") {
            isLasting ? !watch.state.disconnections.isEmpty : clock.hasHalted
        }
        record(watch.state.disconnections)
        require(isRead(values), "the values in use changed during the fault")
        try await requirePolling()
        let (attempts, bound, time) = (watch.state.attempts, isLasting ? 1 : fault.bound, fault.watch)
        require(attempts <= bound, "connections were tried \(attempts) times in \(time), not \(bound) at most")
        require(isLasting || attempts > 1, "no other connection was tried")
        try await end()
        if isLasting {
            try await requirePolling()
            require(watch.state.attempts == 1, "the stream is opened again")
        } else {
            try await requireLiveUpdate("once the service has recovered")
        }
    }

    private func begin() async {
        if fault == .refused { return await suite.server.refuse() }
        watch.change { [fault] in $0.limits = fault.limits }
        suite.server.respond { [suite, fault, otherServer] request in
            let reply = suite.isStream(request) ? fault.reply(to: request, suite, other: otherServer.url) : nil
            if let reply { return reply }
            return await suite.service(request)
        }
    }

    private func end() async throws {
        if fault == .refused { try await suite.server.accept() }
        watch.change { $0.limits = nil }
        suite.server.respond(suite.service)
        clock.release()
    }

    /// Requires that polling fetches a change that the stream does not report.
    private mutating func requirePolling() async throws {
        guard fault != .refused else { return }
        try await requirePolling(await suite.change(nextNumber(), false))
    }

    private func requirePolling(_ values: FlagTable<String>) async throws {
        watch.change { $0.polls += 1 }
        try await wait("polling does not bring the change") { isRead(values) }
    }

    /// Requires that the values of a live update are used.
    private mutating func requireLiveUpdate(_ moment: String) async throws {
        let end = ContinuousClock.now + waitLimit
        while ContinuousClock.now < end {
            try await wait("there is no stream \(moment)") { suite.server.listeners(suite.stream) > 0 }
            let values = await suite.change(nextNumber(), true)
            // The server may not know yet that a connection has ended. An update that is sent on such a connection is
            // lost.
            if try await becomesTrue(within: .seconds(5), { isRead(values) }) { return }
        }
        throw failed("a live update \(moment) does not come into use")
    }

    /// An event that cannot be read may be a change. The source must fetch, or report that there are no live updates,
    /// so that polling fetches the change.
    private mutating func malformedEvent() async throws {
        let subscription = Task { [store] in await store.followRemote() }
        defer { subscription.cancel() }
        try await requireLiveUpdate("at first")
        try await waitForFetches()
        let values = await suite.change(nextNumber(), false)
        await suite.server.push(suite.malformedEvent, to: suite.stream)
        try await wait("there is no fetch and no error") { isRead(values) || !watch.state.disconnections.isEmpty }
        if !watch.state.disconnections.isEmpty {
            record(watch.state.disconnections)
            try await requirePolling(values)
        }
        try await requireLiveUpdate("after a malformed event")
    }

    /// Waits until no fetch has started for half a second, so that earlier updates are fetched.
    private func waitForFetches() async throws {
        var fetches = -1
        while watch.state.fetches != fetches {
            fetches = watch.state.fetches
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Moves the clock by ten years forward and back, each time before the connection breaks off. Then ends the
    /// subscription.
    private mutating func clockJumps() async throws {
        let subscription = Task { [store] in await store.followRemote() }
        defer { subscription.cancel() }
        let decade: Int64 = 10 * 365 * 86_400
        for jump in [decade, -decade] {
            try await requireLiveUpdate("before a jump of the clock by \(jump) s")
            clock.turn(by: jump)
            let (disconnections, waits) = (watch.state.disconnections.count, clock.waits.count)
            await suite.server.breakOff(suite.stream)
            try await wait("the end of the stream is no error") { watch.state.disconnections.count > disconnections }
            try await requireLiveUpdate("after a jump of the clock by \(jump) s")
            let longest = clock.waits.dropFirst(waits).max() ?? .zero
            require(longest <= .seconds(120), "the wait is \(longest) after a jump of the clock by \(jump) s")
            try await requirePolling()
        }
        subscription.cancel()
        try await wait("the connection is open after the end of the subscription") {
            suite.server.listeners(suite.stream) == 0
        }
    }
}

extension StreamConformanceRun {
    private mutating func nextNumber() -> Int {
        changes += 1
        return changes
    }

    private mutating func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { findings.append("\(fault): \(sentence()).") }
    }

    private mutating func requireNoSecret(in text: String, _ place: String) {
        for secret in suite.secrets where text.contains(secret) {
            findings.append("\(fault): a secret shows in \(place): \(text.replacing(secret, with: "<SECRET>"))")
        }
    }

    /// Records the most frequent sentence, as a busy machine sometimes causes other errors.
    private mutating func record(_ errors: [SourceError]) {
        let sentences = errors.map { $0.sentence.replacing("127.0.0.1:\(suite.server.port)", with: "<SERVICE>") }
        let counts = Dictionary(grouping: sentences) { $0 }.mapValues(\.count)
        guard let sentence = sentences.max(by: { (counts[$0] ?? 0) < (counts[$1] ?? 0) }) else {
            return require(false, "there is no error for the missing live updates")
        }
        require(
            !["Error", "NIO", "Optional"].contains(where: sentence.contains),
            "the sentence is one for programmers: \(sentence)")
        usualSentence = sentence
    }

    private func isRead(_ values: FlagTable<String>) -> Bool {
        let snapshot = store.snapshot()
        return values.allSatisfy { key, value in (try? snapshot.string(key)) == value }
    }

    private func wait(_ failure: String, until condition: () -> Bool) async throws {
        guard try await becomesTrue(within: waitLimit, condition) else { throw failed(failure) }
    }

    private func failed(_ sentence: String) -> ConformanceError {
        let disconnections = watch.state.disconnections.map { "\($0)" }.suffix(3).joined(separator: " / ")
        return ConformanceError(
            findings: findings + [
                "\(sentence); \(watch.state.attempts) connections were tried; last errors: \(disconnections)"
            ])
    }
}
#endif
