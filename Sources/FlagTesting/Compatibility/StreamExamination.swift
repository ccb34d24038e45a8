import FlagModel
import FlagRemote
import Flags

/// Looks at one cell of the fault matrix of streams: a store of an app follows the source, while its service does one thing to
/// whoever listens and answers questions as it should.
struct StreamExamination {
    private let subject: StreamSubject
    private let fault: StreamFault
    private let transport: WatchedTransport
    private let source: ObservedSource
    private let clock = ManualClock()
    private let watch: HaltingClock
    /// What lets the store ask in turn.
    private let turn = Turnstile()
    private let place: TemporaryPlace
    private let store: FlagStore
    /// A server at another origin. No other cell has the sentence for what it answers.
    private let other: LoopbackServer
    private var changes = 0
    private(set) var findings: [String] = []
    /// What is said of the fault, without the address.
    private(set) var obstacle: String?

    init(_ subject: StreamSubject, _ fault: StreamFault) async throws {
        self.subject = subject
        self.fault = fault
        transport = WatchedTransport(subject.transport)
        watch = HaltingClock(clock, after: fault.watch)
        let client = SourceClient(
            transport: transport, limits: SourceFault.patient,
            streamLimits: SourceLimits(
                silence: SourceFault.patient.silence, total: SourceFault.patient.total, bodySize: 1 << 20),
            retry: .none, clock: watch.sourceClock)
        source = ObservedSource(try subject.source(client))
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
        case .malformedEvent: try await nonsense()
        default: try await faults()
        }
        for line in place.log { requireNoSecret(in: line, "the log") }
        for error in source.obstacles { requireNoSecret(in: "\(error)", "the sentence") }
        for request in other.requests {
            let text = request.headers.fields.map { "\($0.name): \($0.value)" } + [request.path, request.query ?? ""]
            requireNoSecret(
                in: (text + [String(decoding: request.body, as: UTF8.self)]).joined(separator: "\n"), other.url)
        }
    }

    /// The service does it to each connection, from the first on.
    private mutating func faults() async throws {
        let known = await subject.change(nextNumber(), false)
        require(await store.fetchAndActivate() == .fetchedFromRemote, "the second fetch fails")
        await begin()
        let following = Task { [store] in await store.followRemote() }
        defer { following.cancel() }
        let isLasting = subject.lasting.contains(fault)
        try await wait("there is neither an end of the watch nor of the stream") {
            isLasting ? !source.obstacles.isEmpty : watch.hasHalted
        }
        note(source.obstacles)
        require(store, has: known, "while the service is struck")
        try await asksInTurn()
        let (attempts, bound, time) = (transport.attempts, isLasting ? 1 : fault.bound, fault.watch)
        require(attempts <= bound, "connections were tried \(attempts) times in \(time), not \(bound) at most")
        require(isLasting || attempts > 1, "no other connection was tried")
        try await end()
        if isLasting {
            try await asksInTurn()
            require(transport.attempts == 1, "the stream is opened again")
        } else {
            try await isHeard("once the service has recovered")
        }
    }

    private func begin() async {
        if fault == .refused { return await subject.server.refuse() }
        transport.impatience = fault.impatience
        subject.server.answer { [subject, fault, other] request in
            let reply = subject.isStream(request) ? fault.reply(to: request, subject, other: other.url) : nil
            if let reply { return reply }
            return await subject.service(request)
        }
    }

    private func end() async throws {
        if fault == .refused { try await subject.server.accept() }
        transport.impatience = nil
        subject.server.answer(subject.service)
        watch.release()
    }

    /// Asking goes on in turn, although no changes are told.
    private mutating func asksInTurn() async throws {
        guard fault != .refused else { return }
        let values = await subject.change(nextNumber(), false)
        turn.open()
        try await wait("asking in turn does not bring what has changed") { isRead(values) }
    }

    /// A change that is told comes into use.
    private mutating func isHeard(_ moment: String) async throws {
        let failure = "a change that is told \(moment) does not come into use"
        let end = ContinuousClock.now + Self.patience
        while true {
            try await wait("nobody listens \(moment)") { subject.server.listeners(subject.stream) > 0 }
            let values = await subject.change(nextNumber(), true)
            // A connection that has ended may not be known to have, and whoever was told on it was not.
            if try await isTrue(within: .seconds(5), { isRead(values) }) { return }
            guard ContinuousClock.now < end else { throw failed(failure) }
        }
    }

    /// What cannot be understood was said for a reason: either the source asks, or it says that it hears of no changes, and then
    /// asking in turn brings them.
    private mutating func nonsense() async throws {
        let following = Task { [store] in await store.followRemote() }
        defer { following.cancel() }
        try await isHeard("at first")
        try await isQuiet()
        let values = await subject.change(nextNumber(), false)
        await subject.server.push(subject.malformedEvent, to: subject.stream)
        try await wait("nobody asks, and nobody says why") { isRead(values) || !source.obstacles.isEmpty }
        if !source.obstacles.isEmpty {
            note(source.obstacles)
            turn.open()
            try await wait("asking in turn does not bring what has changed") { isRead(values) }
        }
        try await isHeard("after an event that cannot be understood")
    }

    /// Waits until nobody asks any more for what was told before.
    private func isQuiet() async throws {
        var fetches = -1
        while source.fetches != fetches {
            fetches = source.fetches
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Ten years there and back, each time before the connection breaks off.
    private mutating func clockJumps() async throws {
        let following = Task { [store] in await store.followRemote() }
        defer { following.cancel() }
        let decade: Int64 = 10 * 365 * 86_400
        for jump in [decade, -decade] {
            try await isHeard("before a jump of the clock by \(jump) s")
            clock.turn(by: jump)
            let (obstacles, waits) = (source.obstacles.count, clock.waits.count)
            await subject.server.breakOff(subject.stream)
            try await wait("the end of the stream is not told") { source.obstacles.count > obstacles }
            try await isHeard("after a jump of the clock by \(jump) s")
            let longest = clock.waits.dropFirst(waits).max() ?? .zero
            require(longest <= .seconds(120), "it is waited for \(longest) after a jump of the clock by \(jump) s")
            try await asksInTurn()
        }
    }
}

extension StreamExamination {
    private mutating func nextNumber() -> Int {
        changes += 1
        return changes
    }

    private mutating func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { findings.append("\(fault): \(sentence()).") }
    }

    private mutating func requireNoSecret(in text: String, _ place: String) {
        for secret in subject.secrets where text.contains(secret) {
            findings.append("\(fault): a secret shows in \(place): \(text.replacing(secret, with: "<SECRET>"))")
        }
    }

    /// Notes what is said most often: to a machine that is busy anything may be late once.
    private mutating func note(_ errors: [SourceError]) {
        let sentences = errors.map { $0.sentence.replacing("127.0.0.1:\(subject.server.port)", with: "<SERVICE>") }
        let counts = Dictionary(grouping: sentences) { $0 }.mapValues(\.count)
        guard let sentence = sentences.max(by: { (counts[$0] ?? 0) < (counts[$1] ?? 0) }) else {
            return require(false, "nobody is told that no changes are")
        }
        require(
            !["Error", "NIO", "Optional"].contains(where: sentence.contains),
            "the sentence is one for programmers: \(sentence)")
        obstacle = sentence
    }

    private func isRead(_ values: [String: String]) -> Bool {
        let snapshot = store.snapshot()
        return values.allSatisfy { key, value in (try? snapshot.string(key)) == value }
    }

    private mutating func require(_ store: FlagStore, has values: [String: String], _ moment: String) {
        require(isRead(values), "the values in use are others \(moment)")
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

    private func failed(_ sentence: String) -> IncompatibleSource {
        let obstacles = source.obstacles.map { "\($0)" }.suffix(3).joined(separator: " / ")
        return IncompatibleSource(
            findings: findings + [
                "\(sentence); \(transport.attempts) connections were tried, and last was said: \(obstacles)"
            ])
    }
}
