import FlagModel
import FlagSourceSupport

/// Asks the sources of a store and keeps what they say. One fetch is on its way at a time; who asks meanwhile gets its
/// outcome.
package actor RemoteLoader {
    /// What was known when the store was opened.
    nonisolated let opened: OpenedRemote
    /// The sources' names, and what tells each from every other.
    nonisolated let names: [(name: String, identity: String)]
    private var shelves: [SourceShelf]
    private let activation: Activation
    private let minimumInterval: Duration
    nonisolated let now: @Sendable () -> Timestamp
    private var running: Task<FetchOutcome, Never>?

    /// A loader that starts with what files say now and what was kept of the rest.
    init(
        sources: [any RemoteSource], kept: KeptValues, activation: Activation, minimumInterval: Duration,
        now: @escaping @Sendable () -> Timestamp
    ) {
        let time = now()
        let shelves = sources.map { SourceShelf(opening: $0, kept: kept, activation: activation, now: time) }
        opened = OpenedRemote(shelves)
        names = sources.map { ($0.name, $0.identity) }
        self.shelves = shelves
        self.activation = activation
        self.minimumInterval = minimumInterval
        self.now = now
    }

    /// What is in use now, and what went wrong.
    var current: OpenedRemote { OpenedRemote(shelves) }

    /// What will be in use once what waits is activated; `nil` when nothing waits.
    var waiting: OpenedRemote? { isWaiting ? OpenedRemote(shelves, isActivated: true) : nil }

    /// Whether activating would change anything.
    var isWaiting: Bool { shelves.contains { $0.waiting != nil } }

    /// Asks the sources that are due.
    ///
    /// - Parameters:
    ///   - minimumInterval: how old an answer must be to be asked for anew; left out, the store's.
    ///   - onStart: called once it is certain that something will be asked.
    func fetch(
        minimumInterval: Duration? = nil, onStart: @escaping @Sendable () -> Void = {}
    ) async -> FetchOutcome {
        if let running { return await running.value }
        let task = Task { await ask(minimumInterval ?? self.minimumInterval, onStart) }
        running = task
        defer { running = nil }
        return await task.value
    }

    /// Makes what was fetched the values in use; `false` when nothing waited.
    func activate() -> Bool {
        guard isWaiting else { return false }
        for index in shelves.indices { shelves[index].activate() }
        return true
    }

    private func ask(_ minimumInterval: Duration, _ onStart: @Sendable () -> Void) async -> FetchOutcome {
        let start = now()
        let verdicts = shelves.map { $0.schedule.verdict(at: start, minimumInterval: minimumInterval) }
        let due = shelves.indices.filter { verdicts[$0] == .due }
        guard !due.isEmpty else { return Self.outcome(of: verdicts, at: start) }
        onStart()
        await withTaskGroup(of: (Int, Result<SourceAnswer, SourceError>).self) { group in
            for index in due {
                let (source, known) = (shelves[index].source, shelves[index].waiting ?? shelves[index].active)
                group.addTask { (index, await Self.answer(of: source, since: known?.answer.version)) }
            }
            for await (index, answer) in group { note(answer, at: index) }
        }
        let problems = due.compactMap { shelves[$0].problem }
        return problems.count == due.count ? .failed(problems.joined(separator: " ")) : .fetchedFromRemote
    }

    private static func answer(of source: any RemoteSource, since version: String?) async -> Result<
        SourceAnswer, SourceError
    > {
        do throws(SourceError) {
            return .success(try await source.fetch(since: version))
        } catch {
            return .failure(error)
        }
    }

    private func note(_ answer: Result<SourceAnswer, SourceError>, at index: Int) {
        switch answer {
        case .success(let answer): shelves[index].take(answer, at: now())
        case .failure(let error): shelves[index].failed(error, at: now(), chance: .random(in: 0..<1))
        }
    }

    private static func outcome(of verdicts: [FetchSchedule.Verdict], at now: Timestamp) -> FetchOutcome {
        let ends = verdicts.compactMap { if case .throttled(let until) = $0 { until } else { nil } }
        guard let end = ends.min(), ends.count == verdicts.count else { return .usedPreFetched }
        return .throttled(seconds: Int(end.seconds - now.seconds))
    }
}

/// The remote side of a store at one moment.
struct OpenedRemote: Sendable {
    private let documents: [RemoteDocument]
    /// When the oldest of the newest answers was fetched, in use or not; `nil` when there is none.
    let fetchedAt: Timestamp?
    /// What is wrong with sources, or with keeping what they say, a sentence each.
    let problems: [String]
    /// Why no source answers; `nil` when any does, or when there are none.
    private let failure: String?

    /// - Parameter isActivated: whether what waits counts as in use already.
    init(_ shelves: [SourceShelf], isActivated: Bool = false) {
        documents = shelves.compactMap { (isActivated ? $0.waiting ?? $0.active : $0.active)?.document }
        fetchedAt = shelves.compactMap { ($0.waiting ?? $0.active)?.answer.fetchedAt }.min()
        problems = shelves.flatMap { [$0.problem, $0.keepingProblem].compactMap { $0 } }
        let failures = shelves.compactMap(\.problem)
        failure = failures.isEmpty || failures.count < shelves.count ? nil : failures.joined(separator: " ")
    }

    /// All that is wrong; `nil` while nothing is.
    var problem: String? { problems.isEmpty ? nil : problems.joined(separator: " ") }

    /// How the values stand while nobody asks for newer ones.
    var status: RemoteStatus {
        if let failure { return .failed(failure) }
        return fetchedAt.map(RemoteStatus.loaded) ?? .idle
    }

    /// The documents joined; `pushed` goes before all of them.
    func snapshot(defaults: ValueTable, pushed: RemoteDocument? = nil) -> RemoteSnapshot {
        RemoteSnapshot(documents: [pushed].compactMap { $0 } + documents, defaults: defaults)
    }
}
