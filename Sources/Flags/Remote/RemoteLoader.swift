import FlagModel
import FlagRemote

/// Asks the sources of a store and keeps what they say. One fetch is on its way at a time; who asks meanwhile gets its
/// outcome, where it is about all sources, and waits for its end before asking where it is not.
package actor RemoteLoader {
    /// Where sources do their work: one that blocks its thread, as reading a file does, holds back neither the app's own
    /// tasks nor the clock of those who wait no longer than they said.
    private static let threads = OwnThreads(label: "flags.sources")

    /// What was known when the store was opened.
    nonisolated let opened: OpenedRemote
    /// The sources' names, and what tells each from every other.
    nonisolated let names: [(name: String, identity: String)]
    private(set) var shelves: [SourceShelf]
    private let activation: Activation
    private let minimumInterval: Duration
    nonisolated let clock: SourceClock
    /// How long one source may take, as long as Firebase's clients wait unless told otherwise. One that never answers
    /// would keep everybody else from asking again.
    private let timeLimit: Duration
    private(set) var running: Fetch?
    /// How many sources were asked and have not answered yet.
    private var asked = 0
    /// How often values came into use; two states with the same number read the same.
    private var activations = 0

    /// A fetch on its way.
    struct Fetch {
        let minimumInterval: Duration
        /// The sources that it is about.
        let places: Range<Int>
        let task: Task<Answers, Never>
    }

    /// What came of a fetch.
    struct Answers: Sendable {
        let outcome: FetchOutcome
        /// Whether no source was left out.
        let hasAskedAll: Bool
        /// What is wrong with those that gave nothing, by their places.
        var failures: [Int: SourceError] = [:]
    }

    /// A loader that starts with what files say now and what was kept of the rest.
    init(
        sources: [any RemoteSource], kept: KeptValues, activation: Activation, minimumInterval: Duration,
        timeLimit: Duration = .seconds(60), clock: SourceClock
    ) {
        let time = clock.now()
        let shelves = sources.map { SourceShelf(opening: $0, kept: kept, activation: activation, now: time) }
        opened = OpenedRemote(shelves, activations: 0)
        names = sources.map { ($0.name, $0.identity) }
        self.shelves = shelves
        self.activation = activation
        self.minimumInterval = minimumInterval
        self.timeLimit = timeLimit
        self.clock = clock
    }

    /// The names of sources that stand there before, one for each time.
    nonisolated var repeatedNames: [String] {
        var known: Set<String> = []
        return names.filter { !known.insert($0.identity).inserted }.map(\.name)
    }

    /// What is in use now, and what will be once what waits is activated; `nil` when nothing waits.
    var standing: (opened: OpenedRemote, waiting: OpenedRemote?) {
        (current, isWaiting ? OpenedRemote(shelves, activations: activations, isActivated: true) : nil)
    }

    private var current: OpenedRemote {
        OpenedRemote(shelves, activations: activations, isLoading: asked > 0)
    }

    /// Whether activating would change anything.
    private var isWaiting: Bool { shelves.contains { $0.waiting != nil } }

    /// Asks the sources that are due. When the caller's task is cancelled this returns, and the fetch goes on: others may
    /// wait for it too.
    ///
    /// - Parameters:
    ///   - minimumInterval: how old an answer must be to be asked for anew; left out, the store's.
    ///   - isActivating: whether what comes is to be in use at once.
    ///   - tell: told what is in use after each step, in the order of the steps, before this returns.
    func fetch(
        minimumInterval: Duration? = nil, isActivating: Bool, tell: @escaping @Sendable (OpenedRemote) -> Void
    ) async -> FetchOutcome {
        let minimumInterval = minimumInterval ?? self.minimumInterval
        while let running {
            guard let result = await running.task.value() else { return Self.abandoned }
            // It was about the one source that has told of a change.
            if running.places != shelves.indices { continue }
            // What was new enough for somebody else may be too old for this caller.
            if !result.hasAskedAll, minimumInterval < running.minimumInterval { continue }
            if isActivating { activate(tell) }
            return result.outcome
        }
        let task = begin(minimumInterval, shelves.indices, isActivating, tell)
        return await task.value()?.outcome ?? Self.abandoned
    }

    /// Begins the one fetch that is on its way from now on.
    func begin(
        _ minimumInterval: Duration, _ places: Range<Int>, _ isActivating: Bool,
        _ tell: @escaping @Sendable (OpenedRemote) -> Void
    ) -> Task<Answers, Never> {
        let task = Task {
            let answers = await ask(minimumInterval, places, isActivating, tell)
            running = nil
            return answers
        }
        running = Fetch(minimumInterval: minimumInterval, places: places, task: task)
        return task
    }

    /// What somebody gets whose task was cancelled.
    private static let abandoned = FetchOutcome.failed(
        "Nobody waits for this fetch any more, as its task was cancelled; what it brings is used all the same.")

    /// Makes what was fetched the values in use; `false` when nothing waited.
    @discardableResult
    func activate(_ tell: (OpenedRemote) -> Void) -> Bool {
        guard isWaiting else { return false }
        for index in shelves.indices { shelves[index].activate() }
        activations += 1
        tell(current)
        return true
    }

    private func ask(
        _ minimumInterval: Duration, _ places: Range<Int>, _ isActivating: Bool,
        _ tell: @Sendable (OpenedRemote) -> Void
    ) async -> Answers {
        let start = clock.now()
        let verdicts = places.map { ($0, shelves[$0].schedule.verdict(at: start, minimumInterval: minimumInterval)) }
        let due = verdicts.filter { $0.1 == .due }.map(\.0)
        var failures: [Int: SourceError] = [:]
        let told = takeNews(of: verdicts)
        for (index, news) in told { failures[index] = note(.success(news), at: index) }
        guard !due.isEmpty else {
            if !isActivating || !activate(tell), !told.isEmpty { tell(current) }
            let outcome = told.isEmpty ? Self.outcome(of: verdicts.map(\.1), at: start) : .fetchedFromRemote
            return Answers(outcome: outcome, hasAskedAll: shelves.isEmpty, failures: failures)
        }
        asked = due.count
        tell(current)
        await withTaskGroup(of: (Int, Result<SourceAnswer, SourceError>).self) { group in
            for index in due {
                let (source, known) = (shelves[index].source, shelves[index].newest)
                let limit = timeLimit
                group.addTask { (index, await Self.answer(of: source, since: known?.answer.version, within: limit)) }
            }
            for await (index, answer) in group {
                asked -= 1
                failures[index] = note(answer, at: index)
                // Before the status changes: whoever is told that values are loaded reads them.
                if !isActivating || !activate(tell) { tell(current) }
            }
        }
        let problems = due.compactMap { shelves[$0].problem }
        let hasFailed = problems.count == due.count
        return Answers(
            outcome: hasFailed ? .failed(problems.joined(separator: " ")) : .fetchedFromRemote,
            hasAskedAll: due.count == shelves.count, failures: failures)
    }

    /// What services that want no questions have told of themselves.
    private func takeNews(of verdicts: [(Int, FetchSchedule.Verdict)]) -> [(Int, SourceAnswer)] {
        verdicts.compactMap { index, verdict in
            guard case .throttled = verdict else { return nil }
            return shelves[index].source.takeNews(since: shelves[index].newest?.answer.version).map { (index, $0) }
        }
    }

    private static func answer(
        of source: any RemoteSource, since version: String?, within limit: Duration
    ) async -> Result<SourceAnswer, SourceError> {
        let question = Task<Result<SourceAnswer, SourceError>, Never>(executorPreference: threads) {
            do throws(SourceError) {
                return .success(try await source.fetch(since: version))
            } catch {
                return .failure(error)
            }
        }
        if let answer = await question.value(within: limit) { return answer }
        question.cancel()
        let sentence = "no answer within \(limit.components.seconds) seconds"
        return .failure(SourceError(code: .unreachable, path: source.name, sentence: sentence))
    }

    /// Takes an answer; returns why it is none that can be used.
    private func note(_ answer: Result<SourceAnswer, SourceError>, at index: Int) -> SourceError? {
        switch answer {
        case .success(let answer):
            shelves[index].take(answer, at: clock.now())
            return shelves[index].problem.map {
                SourceError(code: .malformed, path: shelves[index].source.name, sentence: $0)
            }
        case .failure(let error):
            shelves[index].failed(error, at: clock.now(), chance: clock.chance())
            return error
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
    /// Two with the same number have the same documents in use.
    let activations: Int
    /// Whether newer values are on their way.
    private let isLoading: Bool
    /// When the oldest of the newest answers was fetched, in use or not; `nil` when there is none.
    let fetchedAt: Timestamp?
    /// What is wrong with sources, or with keeping what they say, a sentence each.
    let problems: [String]
    /// Why no source answers; `nil` when any does, or when there are none.
    private let failure: String?

    /// - Parameters:
    ///   - shelves: what is known of each source.
    ///   - activations: how often values came into use.
    ///   - isLoading: whether newer values are on their way.
    ///   - isActivated: whether what waits counts as in use already.
    init(_ shelves: [SourceShelf], activations: Int, isLoading: Bool = false, isActivated: Bool = false) {
        self.activations = activations
        self.isLoading = isLoading
        documents = shelves.compactMap { (isActivated ? $0.newest : $0.active)?.document }
        fetchedAt = shelves.compactMap { $0.newest?.answer.fetchedAt }.min()
        problems = shelves.flatMap { [$0.problem, $0.keepingProblem].compactMap { $0 } }
        let failures = shelves.compactMap(\.problem)
        failure = failures.isEmpty || failures.count < shelves.count ? nil : failures.joined(separator: " ")
    }

    /// All that is wrong; `nil` while nothing is.
    var problem: String? { problems.isEmpty ? nil : problems.joined(separator: " ") }

    /// How the values stand.
    var status: RemoteStatus {
        if isLoading { return .loading }
        if let failure { return .failed(failure) }
        return fetchedAt.map(RemoteStatus.loaded) ?? .idle
    }

    /// The documents joined; `pushed` goes before all of them.
    func snapshot(defaults: ValueTable, pushed: RemoteDocument? = nil) -> RemoteSnapshot {
        RemoteSnapshot(documents: [pushed].compactMap { $0 } + documents, defaults: defaults)
    }
}
