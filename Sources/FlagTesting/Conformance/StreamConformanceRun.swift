import FlagModel
import FlagRemote
import Flags

/// One fault of the stream conformance suite: an app's store follows the source, while one fault is injected into its stream and
/// other requests succeed.
struct StreamConformanceRun {
    private let suite: StreamConformanceSuite
    private let fault: StreamFault
    private let transport: WatchedTransport
    private let source: ObservedSource
    private let clock = ManualClock()
    private let watch: HaltingClock
    /// Lets the store poll.
    private let turn = Turnstile()
    private let place: TemporaryPlace
    private let store: FlagStore
    /// A server at another origin. Its status has a sentence that no fault has.
    private let other: LoopbackServer
    private var changes = 0
    private(set) var findings: [String] = []
    /// The most frequent sentence for the fault, without the address.
    private(set) var usualSentence: String?

    init(_ suite: StreamConformanceSuite, _ fault: StreamFault) async throws {
        self.suite = suite
        self.fault = fault
        transport = WatchedTransport(suite.transport)
        watch = HaltingClock(clock, after: fault.watch)
        let client = SourceClient(
            transport: transport, limits: SourceFault.patient,
            streamLimits: SourceLimits(
                silence: SourceFault.patient.silence, total: SourceFault.patient.total, bodySize: 1 << 20),
            retry: .none, clock: watch.sourceClock)
        source = ObservedSource(try suite.source(client))
        place = try TemporaryPlace()
        store = place.store(
            [source],
            clock: SourceClock(now: { [clock] in clock.now }, sleep: { [turn] _ in try await turn.pass() }) { 0.5 })
        other = try await LoopbackServer { _ in .status(501) }
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
        for error in source.disconnections { requireNoSecret(in: "\(error)", "the sentence") }
        for request in other.requests {
            let text = request.headers.fields.map { "\($0.name): \($0.value)" } + [request.path, request.query ?? ""]
            requireNoSecret(
                in: (text + [String(decoding: request.body, as: UTF8.self)]).joined(separator: "\n"), other.url)
        }
    }

    /// Injects the fault into each connection, from the first on.
    private mutating func faults() async throws {
        let known = await suite.change(nextNumber(), false)
        require(await store.fetchAndActivate() == .fetchedFromRemote, "the second fetch fails")
        await begin()
        let following = Task { [store] in await store.followRemote() }
        defer { following.cancel() }
        let isLasting = suite.lasting.contains(fault)
        try await wait("there is neither an end of the watch nor of the stream") {
            isLasting ? !source.disconnections.isEmpty : watch.hasHalted
        }
        note(source.disconnections)
        require(store, has: known, "during the fault")
        try await polls()
        let (attempts, bound, time) = (transport.attempts, isLasting ? 1 : fault.bound, fault.watch)
        require(attempts <= bound, "connections were tried \(attempts) times in \(time), not \(bound) at most")
        require(isLasting || attempts > 1, "no other connection was tried")
        try await end()
        if isLasting {
            try await polls()
            require(transport.attempts == 1, "the stream is opened again")
        } else {
            try await updates("once the service has recovered")
        }
    }

    private func begin() async {
        if fault == .refused { return await suite.server.refuse() }
        transport.impatience = fault.impatience
        suite.server.answer { [suite, fault, other] request in
            let reply = suite.isStream(request) ? fault.reply(to: request, suite, other: other.url) : nil
            if let reply { return reply }
            return await suite.service(request)
        }
    }

    private func end() async throws {
        if fault == .refused { try await suite.server.accept() }
        transport.impatience = nil
        suite.server.answer(suite.service)
        watch.release()
    }

    /// Polling continues without live updates.
    private mutating func polls() async throws {
        guard fault != .refused else { return }
        let values = await suite.change(nextNumber(), false)
        turn.open()
        try await wait("polling does not bring the change") { isRead(values) }
    }

    /// A live update comes into use.
    private mutating func updates(_ moment: String) async throws {
        let failure = "a live update \(moment) does not come into use"
        let end = ContinuousClock.now + Self.patience
        while true {
            try await wait("there is no stream \(moment)") { suite.server.listeners(suite.stream) > 0 }
            let values = await suite.change(nextNumber(), true)
            // The server may not know yet that a connection has ended, and then its update is lost.
            if try await isTrue(within: .seconds(5), { isRead(values) }) { return }
            guard ContinuousClock.now < end else { throw failed(failure) }
        }
    }

    /// An event that cannot be read may be a change: either the source fetches, or it says that there are no live updates, and then
    /// polling brings the change.
    private mutating func malformedEvent() async throws {
        let following = Task { [store] in await store.followRemote() }
        defer { following.cancel() }
        try await updates("at first")
        try await isQuiet()
        let values = await suite.change(nextNumber(), false)
        await suite.server.push(suite.malformedEvent, to: suite.stream)
        try await wait("there is no fetch and no error") { isRead(values) || !source.disconnections.isEmpty }
        if !source.disconnections.isEmpty {
            note(source.disconnections)
            turn.open()
            try await wait("polling does not bring the change") { isRead(values) }
        }
        try await updates("after a malformed event")
    }

    /// Waits until earlier updates are fetched.
    private func isQuiet() async throws {
        var fetches = -1
        while source.fetches != fetches {
            fetches = source.fetches
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Ten years forward and back, each time before the connection breaks off.
    private mutating func clockJumps() async throws {
        let following = Task { [store] in await store.followRemote() }
        defer { following.cancel() }
        let decade: Int64 = 10 * 365 * 86_400
        for jump in [decade, -decade] {
            try await updates("before a jump of the clock by \(jump) s")
            clock.turn(by: jump)
            let (disconnections, waits) = (source.disconnections.count, clock.waits.count)
            await suite.server.breakOff(suite.stream)
            try await wait("the end of the stream is no error") { source.disconnections.count > disconnections }
            try await updates("after a jump of the clock by \(jump) s")
            let longest = clock.waits.dropFirst(waits).max() ?? .zero
            require(longest <= .seconds(120), "the wait is \(longest) after a jump of the clock by \(jump) s")
            try await polls()
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

    /// Records the most frequent sentence: on a busy machine anything may be late at times.
    private mutating func note(_ errors: [SourceError]) {
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

    private func isRead(_ values: [String: String]) -> Bool {
        let snapshot = store.snapshot()
        return values.allSatisfy { key, value in (try? snapshot.string(key)) == value }
    }

    private mutating func require(_ store: FlagStore, has values: [String: String], _ moment: String) {
        require(isRead(values), "the values in use changed \(moment)")
    }

    /// Longer than the busiest machine takes.
    private static let patience = Duration.seconds(240)

    private func wait(_ failure: String, until condition: () -> Bool) async throws {
        guard try await isTrue(within: Self.patience, condition) else { throw failed(failure) }
    }

    private func isTrue(within limit: Duration, _ condition: () -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + limit
        while !condition() {
            guard ContinuousClock.now < end else { return false }
            try await Task.sleep(for: .milliseconds(2))
        }
        return true
    }

    private func failed(_ sentence: String) -> ConformanceError {
        let disconnections = source.disconnections.map { "\($0)" }.suffix(3).joined(separator: " / ")
        return ConformanceError(
            findings: findings + [
                "\(sentence); \(transport.attempts) connections were tried; last errors: \(disconnections)"
            ])
    }
}
