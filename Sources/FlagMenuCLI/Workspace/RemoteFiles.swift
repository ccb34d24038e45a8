import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagSourceFile
import FlagStorage
import Synchronization

/// The remote sources of a run and their last good copies.
final class RemoteFiles: Sendable {
    let settings: Settings
    let services: Services
    /// What the tester has decided about the sources.
    let contexts: ContextFile
    let cache: RemoteCache
    /// What this run knows; `nil` until the sources have been opened.
    let state = Mutex<RemoteState?>(nil)
    /// The questions to services that were put.
    let questions = QuestionOrder()
    /// The following of services, while a menu is open.
    let serviceFollowing = Mutex<ServiceFollowing?>(nil)
    /// The sources as settings and the tester have them.
    let composed: Mutex<ComposedSources>

    /// The sources, first wins.
    var sources: [KeptSource] { composed.withLock { $0.kept } }

    init(_ settings: Settings, patience: Services.Patience = .standard) {
        self.settings = settings
        services = Services(settings.environment, patience: patience)
        contexts = ContextFile(
            directory: settings.stateDirectory, now: SystemClock.now, refusal: settings.readOnlyRefusal)
        cache = RemoteCache(files: .folder(settings.cacheDirectory))
        composed = Mutex(ComposedSources(settings, contexts.read(), services, cache))
    }

    /// The sources together, for where nothing is known of each.
    var name: String {
        guard let first = settings.sources.first else { return settings.isSample ? "built-in sample" : "no source" }
        let more = settings.sources.count - 1
        return first.title + (more > 0 ? " and \(more) more" : "")
    }

    /// Which services are asked when a run starts.
    enum Asking {
        /// None: a shell that completes a word waits for nobody.
        case nobody
        /// Those of which nothing is kept; what others said last holds until somebody fetches.
        case unknown
        /// All of them.
        case everybody
    }

    /// Reads what holds at the start of a run.
    ///
    /// - Throws: a sentence when no source gives anything and nothing was kept.
    func open(_ asking: Asking = .unknown) throws(CommandFailure) -> OpenedRemote {
        let now = SystemClock.now()
        var opened = cache.open(sources, now: now)
        var asked: [RemoteState.Source] = []
        switch asking {
        case .nobody: break
        case .unknown: asked = unknown(&opened, now)
        case .everybody: asked = opened.sources
        }
        let answers = services.ask(asked)
        if !answers.isEmpty { opened = take(answers, opened) }
        state.withLock { $0 = opened }
        do throws(CommandFailure) {
            return try remote(opened)
        } catch {
            // Until when services want to be left alone is for the next run to know. That there is nothing to work with is
            // what has to be said, and not that this could not be kept.
            _ = keep()
            throw error
        }
    }

    /// The sources of which nothing is kept, but for those that have just been asked in vain and can be done without.
    private func unknown(_ opened: inout RemoteState, _ now: Timestamp) -> [RemoteState.Source] {
        let unknown = opened.sources.filter { $0.active == nil }
        guard unknown.count < opened.sources.count else { return unknown }
        return unknown.filter { source in
            guard let service = source.source.service, let seconds = source.forbearance(at: now) else { return true }
            let sentence =
                "it could not be read a moment ago, so it is not asked for \(seconds) s; flagmenu fetch asks it now"
            opened.note(
                SourceError(code: .unreachable, path: service.name, sentence: sentence), of: service.identity)
            return false
        }
    }

    func take(_ answers: SourceAnswers, _ known: RemoteState) -> RemoteState {
        cache.take(answers, current: known, now: SystemClock.now(), chance: .random(in: 0..<1))
    }

    /// What a fetch brought: values that wait, and what is wrong with sources that brought none.
    struct Fetched {
        /// How many values are in use at once, as nothing was known before; `nil` where something was.
        var firstCount: Int?
        let differences: [ValueDifference]
        /// Whether activating would change anything, be it only titles and options.
        let hasUpdate: Bool
        let problems: [String]
        /// What a command ends with that wants all sources; `nil` where they have answered.
        let failure: ExitStatus?

        /// How many values wait; `nil` where nothing does.
        var waitingCount: Int? { hasUpdate ? differences.count : nil }
    }

    /// Reads the sources again. What some of them say is kept even where others cannot be read.
    ///
    /// - Throws: a sentence when none can be read; what was active stays in use.
    func fetch() throws(CommandFailure) -> Fetched {
        try takeFetched(services.ask(askable))
    }

    /// The sources with what is known of them.
    var askable: [RemoteState.Source] { state.withLock { $0 }?.sources ?? cache.stored(sources) }

    /// Reads the files again, and takes what services have answered.
    func takeFetched(_ answers: SourceAnswers) throws(CommandFailure) -> Fetched {
        let known = askable
        let fetched = cache.fetch(
            sources, answers: answers, current: state.withLock { $0 }, now: SystemClock.now(),
            chance: .random(in: 0..<1))
        state.withLock { $0 = fetched }
        try requireValues(in: fetched)
        let problems = fetched.sources.compactMap(Self.problem(of:))
        // A file that cannot be read is one source among others, as long as there are values of it.
        let isAsked = fetched.sources.contains {
            $0.problem != nil && ($0.source.service == nil || $0.failure == .remote)
        }
        let failure: ExitStatus = isAsked ? .remote : .usage
        if !sources.isEmpty, problems.count == sources.count {
            throw CommandFailure(failure, problems.joined(separator: " "))
        }
        let isFirst = !sources.isEmpty && !known.contains { $0.active != nil }
        return Fetched(
            firstCount: isFirst ? fetched.snapshot().values.keys.count : nil, differences: try differences(in: fetched),
            hasUpdate: fetched.hasUpdate, problems: problems, failure: problems.isEmpty ? nil : failure)
    }

    /// Makes the fetched documents active and tells what changed; `nil` where nothing waited.
    func activate() throws(CommandFailure) -> [ValueDifference]? {
        if let refusal = settings.readOnlyRefusal { throw CommandFailure(settings.refusalStatus, refusal) }
        let now = SystemClock.now()
        let before = state.withLock { $0 } ?? cache.open(sources, now: now)
        try requireValues(in: before)
        let changes = try differences(in: before)
        let after = cache.activate(sources, current: before, now: now)
        state.withLock { $0 = after }
        return before.hasUpdate ? changes : nil
    }

    /// Stores last good copies, when there is time. Values never depend on it.
    ///
    /// - Returns: why that was not possible, as a sentence; `nil` when it was.
    func keep() -> String? {
        guard let writes = state.withLock({ $0?.takeWrites() }), !writes.isEmpty else { return nil }
        do {
            try cache.store(writes)
            let inUse = sources + (state.withLock { $0 }?.sources.map(\.source) ?? [])
            // What cannot be removed takes room and does no harm.
            try? cache.removeOldContexts(besides: inUse, now: SystemClock.now())
            return nil
        } catch {
            state.withLock { $0?.putBack(writes) }
            return "The last good remote values could not be kept: \(error)"
        }
    }

    /// Files that change when another run fetches or activates.
    var recordPaths: [String] {
        cache.recordNames(of: sources).map { FilePath.join(settings.cacheDirectory, $0) }
    }

    /// What waits for activation, value by value.
    func differences(in state: RemoteState) throws(CommandFailure) -> [ValueDifference] {
        guard state.isWaiting else { return [] }
        let activated = cache.activate(sources, current: state, now: SystemClock.now())
        return ValueDifference.between(state.snapshot().values, activated.snapshot().values)
    }

    func remote(_ state: RemoteState) throws(CommandFailure) -> OpenedRemote {
        let defaults = try readDefaults()
        guard !settings.isSample else {
            return OpenedRemote(files: self, snapshot: try Sample.snapshot(defaults: defaults))
        }
        try requireValues(in: state)
        let waiting = try differences(in: state).count
        return OpenedRemote(
            files: self, snapshot: state.snapshot(defaults: defaults), fetchedAt: state.fetchedAt,
            sourceProblems: state.sources.compactMap(Self.problem(of:)),
            connectionRemarks: services.warnings, contextProblem: composed.withLock { $0.problem },
            evaluations: evaluations(in: state), waitingCount: state.hasUpdate ? waiting : nil)
    }

    private func requireValues(in state: RemoteState) throws(CommandFailure) {
        if sources.isEmpty || state.sources.contains(where: { $0.active != nil }) { return }
        guard !state.problems.isEmpty else {
            throw CommandFailure(
                .remote, "Nothing was fetched yet\(ownContextWords); flagmenu fetch asks the sources.")
        }
        let sentences = state.sources.compactMap { Self.reason(of: $0, isWhole: true) }.joined(separator: " ")
        throw CommandFailure(
            state.sources.contains { $0.failure == .remote } ? .remote : .usage,
            "\(sentences) There are no earlier values to use\(ownContextWords); fix the source or name another with --source."
        )
    }

    /// Why there may be none although there were some.
    private var ownContextWords: String {
        let isOwn = composed.withLock { $0.settings }.contains { !$0.own.isEmpty }
        return isOwn ? " for the context that you have chosen (flagmenu context --reset takes it back)" : ""
    }

    private func readDefaults() throws(CommandFailure) -> ValueTable {
        guard let path = settings.defaults else { return ValueTable() }
        do throws(SourceError) {
            return try FileSource(path: path).readDefaults()
        } catch {
            throw CommandFailure(.usage, "\(error.asSentence) Fix the defaults or name another file with --defaults.")
        }
    }

    /// Why a source could not be read, and what is in use of it, as sentences; `nil` where it was.
    static func problem(of source: RemoteState.Source) -> String? {
        reason(of: source).map { reason in
            let kept = source.problem?.lastGood.map { " The values from \($0.age(at: SystemClock.now())) stay in use." }
            return reason + (kept ?? " There are no earlier values of it.")
        }
    }

    /// Why a source could not be read, as a sentence that begins with its name; `nil` where it was.
    ///
    /// - Parameter isWhole: whether a file is named by its whole path.
    private static func reason(of source: RemoteState.Source, isWhole: Bool = false) -> String? {
        guard let error = source.problem?.error else { return nil }
        guard let name = source.source.service?.name else {
            return "\(isWhole ? error.path : FilePath.name(of: error.path)): \(error.sentence.asSentence)"
        }
        // Such as the file of a credential. The address stands in the name.
        let place = name.contains(error.path) ? "" : "\(error.path): "
        return "\(name): \(place)\(error.sentence.asSentence)"
    }
}

extension RemoteState.Source {
    /// What a command ends with that cannot do without it: that settings are wrong where nobody could even be asked, else that
    /// the source is; `nil` where it was read.
    var failure: ExitStatus? {
        guard let problem else { return nil }
        guard let service = source.service else { return .usage }
        let error = problem.error
        let isUnasked = error.code == .rejected && error.status == nil && error.cause != .redirect
        return service.isHindered || isUnasked ? .usage : .remote
    }
}

/// Remote values as a run begins with them.
struct OpenedRemote {
    let files: RemoteFiles
    let snapshot: RemoteSnapshot
    var fetchedAt: Timestamp?
    /// What is wrong with sources, a sentence each.
    var sourceProblems: [String] = []
    /// What has to be known about connections, a sentence each.
    var connectionRemarks: [String] = []
    /// What is wrong with the file of what the tester has decided, as a sentence; `nil` while all is well.
    var contextProblem: String?
    /// For whom sources are evaluated and by which conditions, of those of which there is any of that.
    var evaluations: [SourceEvaluation] = []
    /// How many fetched values wait for activation.
    var waitingCount: Int?

    /// What documents had to leave out, a sentence each.
    var documentProblems: [String] {
        connectionRemarks + [contextProblem].compactMap { $0 } + snapshot.problems.map(\.description)
    }

    /// Everything that is wrong.
    var problems: [String] { sourceProblems + documentProblems }

    /// Stores last good copies, when the work is done.
    func keep() {
        if let problem = files.keep() { StandardError.warn(problem) }
    }
}

extension CacheFiles {
    /// A folder on the disk. What lies there can be fetched again, so a power cut may take it.
    static func folder(_ folder: String) -> CacheFiles {
        CacheFiles(
            // A copy that cannot be read is the same as none.
            read: { name in try? DurableFile.read(FilePath.join(folder, name), limit: SourceFileBytes.sizeLimit) },
            write: { name, bytes in
                try DurableFile.replace(FilePath.join(folder, name), with: bytes, durability: .atomicOnly)
            },
            remove: { name in try DurableFile.remove(FilePath.join(folder, name)) },
            names: { (try? DurableFile.names(in: folder)) ?? [] }
        )
    }
}
