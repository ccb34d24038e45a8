import FlagModel
public import FlagRemote
import FlagStorage
public import Logging
public import Synchronization

/// The flags of an app: what every layer says, which value counts, and news of each change.
///
/// Opening a store never waits for a network and never fails. Where overrides cannot be read, remote values and defaults
/// are in use and ``problems`` says why. Reading a declared key takes about a nanosecond; see
/// <doc:Precedence>.
///
/// ```swift
/// let flags = FlagStore(app: "shop", sources: [RemoteFile("remote.json")])
/// await flags.start()
/// if flags[.multipleLocations] { showLocations() }
/// ```
public final class FlagStore: Sendable {
    /// The app's id. A menu that is opened for the same id changes the overrides of this store.
    public let app: String
    /// Where overrides are kept; `nil` where none are let in, or none are saved.
    public let overridePath: String?
    /// When fetched values become the ones that are read.
    public let activation: Activation

    @usableFromInline let slots = SlotTable()
    /// How many scopes of ``withOverrides(_:operation:)`` are open, anywhere in the process.
    @usableFromInline let scopeCount = Atomic<Int>(0)
    let state: Mutex<StoreState>
    package let remote: RemoteEngine
    let overrides: OverrideStore?
    let logger: Logger
    let access: OverrideAccess
    /// Why the launch values of the environment do not count; `nil` where they do, or there are none.
    let launchProblem: String?
    /// Whether a menu lists the keys that code declares.
    let listsDeclaredKeys: Bool
    /// The values below the remote ones that the store was opened with.
    let ownDefaults: ValueTable
    /// Held while layers change, so that one change follows the other. Always before ``state``.
    let changing = Mutex<Void>(())
    /// The revision of the overrides in use. Held while the override file is read and taken over, so that the newest reading is
    /// the last. Before all others.
    private let reading = Mutex(0)
    let watch = Mutex<DirectoryWatch?>(nil)
    private let endRemote = Mutex<(@Sendable () -> Void)?>(nil)

    /// Opens the flags of an app with the overrides and the last good remote values of now.
    ///
    /// - Parameters:
    ///   - app: the app's id, which names its folders: 1 to 200 bytes without `/`.
    ///   - sources: where remote values come from; the first that has a key wins. See ``start(waitingAtMost:)``.
    ///   - defaults: values below the remote ones, by key; each declared key has its own default below these.
    ///   - overrides: whether launch values, overrides and team values count.
    ///   - launch: values of this run alone, which win over everything; left out, those of the environment variable
    ///     `FLAGMENU_LAUNCH`.
    ///   - team: overrides that a team shares, below this machine's.
    ///   - activation: when fetched values become the ones that are read.
    ///   - minimumFetchInterval: how long fetched values count as new; 12 hours, as in Firebase's clients. Use zero while
    ///     developing.
    ///   - storeDirectory: where overrides are kept; left out, `FLAGMENU_STORE` or the folder that `flagmenu --app` uses.
    ///   - cacheDirectory: where last good remote values are kept; left out, the app's folder in the user's cache.
    ///   - clock: time and chance; the system's, unless a test brings its own.
    ///   - logger: told about active overrides, values that cannot be read, and files that cannot be.
    public convenience init(
        app: String, sources: [any RemoteSource] = [], defaults: [String: String] = [:],
        overrides: OverrideAccess = .debugBuilds, launch: [String: String]? = nil, team: [String: String] = [:],
        activation: Activation = .immediately, minimumFetchInterval: Duration = .seconds(12 * 3_600),
        storeDirectory: String? = nil, cacheDirectory: String? = nil, clock: SourceClock = .system,
        logger: Logger = Logger(label: "flags")
    ) {
        precondition(AppFolders.isName(app), "\"\(app)\" cannot be an app id: it names a folder.")
        let folders = AppFolders(app: app, home: ProcessEnvironment.home, variable: ProcessEnvironment.variable)
        let directory = storeDirectory ?? ProcessEnvironment.variable("FLAGMENU_STORE") ?? folders.state
        // Of now: an app may go elsewhere later.
        let place = WorkingDirectory.resolve(directory)
        // Two simulators share overrides, not what each has fetched.
        let own = AppFolders(app: app, home: ProcessEnvironment.ownHome, variable: ProcessEnvironment.variable)
        let cache = WorkingDirectory.resolve(cacheDirectory ?? "\(own.cache)/library")
        let fromEnvironment =
            launch == nil && overrides.isOpen ? ProcessEnvironment.launchValues() : (values: [:], problem: nil)
        self.init(
            app: app, access: overrides,
            overrides: OverrideStore(
                directory: place, author: ProcessEnvironment.userName, now: clock.now),
            remote: RemoteEngine(
                sources: sources, cache: RemoteCache(folder: cache),
                contextFile: overrides.isOpen ? ContextFile(directory: folders.state, now: clock.now) : nil,
                policy: RemotePolicy(activation: activation, minimumInterval: minimumFetchInterval), clock: clock),
            values: LayerValues([
                .launch: LayerContent(texts: launch ?? fromEnvironment.values), .team: LayerContent(texts: team),
                .default: LayerContent(
                    ValueTable(defaults.map { (key: FlagText($0.key), value: FlagText($0.value)) })),
            ]),
            launchProblem: fromEnvironment.problem, logger: logger)
        open()
        let remote = remote
        Task { remote.save() }
    }

    /// A store of parts that has read nothing yet; see ``open()``.
    ///
    /// - Parameters:
    ///   - overrides: `nil` if nothing is saved.
    ///   - values: launch and team values, and those below the remote ones.
    ///   - listsDeclaredKeys: whether a menu lists the keys that the code of this process declares; not if it is about the
    ///     flags of another program.
    package init(
        app: String, access: OverrideAccess, overrides: OverrideStore?, remote: RemoteEngine, values: LayerValues,
        listsDeclaredKeys: Bool = true, launchProblem: String? = nil, logger: Logger? = nil
    ) {
        self.listsDeclaredKeys = listsDeclaredKeys
        self.launchProblem = launchProblem
        self.app = app
        activation = remote.policy.activation
        self.logger = logger ?? Logger(label: "flags") { _ in SwiftLogNoOpLogHandler() }
        self.access = access
        self.remote = remote
        self.overrides = access.isOpen ? overrides : nil
        overridePath = self.overrides?.path
        ownDefaults = values.defaults
        var values = values
        if !access.isOpen { for layer in Layer.aboveRemote { values[layer] = LayerContent() } }
        state = Mutex(StoreState(StoreContents(values)))
    }

    /// Reads what is there without a request, and follows the overrides from then on.
    package func open() {
        if let launchProblem { logger.warning("\(launchProblem)") }
        openRemote()
        follow()
        announceOverrides()
    }

    /// Reads the sources' files and cached values, once.
    package func openRemote(isFromCache: Bool = false) {
        let isFirst = endRemote.withLock { end in
            guard end == nil else { return false }
            end = remote.observe { [weak self] update in self?.take(update) }
            return true
        }
        if isFirst { remote.open(isFromCache: isFromCache) }
    }

    deinit {
        stopFollowing()
        endRemote.withLock { $0?() }
        state.withLock { state in
            state.feeds.values.forEach { $0.end() }
            state.layerFeeds.values.forEach { $0.news.finish() }
            state.statusFeeds.values.forEach { $0.finish() }
            state.overrideFeeds.values.forEach { $0.finish() }
        }
    }

    /// All flags at this moment.
    public func snapshot() -> FlagSnapshot {
        var snapshot = state.withLock { $0.contents.snapshot }
        snapshot.onRefusal = { [weak self] declaration, refused in self?.note(refused, readBy: declaration) }
        if hasScopes { snapshot = ScopedOverrides.applied(to: snapshot, of: self) }
        return snapshot
    }

    /// Whether some task may see other values than the rest of the process.
    @inlinable var hasScopes: Bool { scopeCount.load(ordering: .relaxed) != 0 }

    /// Reads a key without its slot, and fills the slot for the next reader.
    @usableFromInline
    func slowValue<Value>(_ key: FlagKey<Value>) -> Value {
        let declaration = key.declaration
        if hasScopes, ScopedOverrides.hasText(of: key.name, in: self) { return snapshot()[key] }
        let (values, generation) = state.withLock { ($0.contents.values, $0.generation) }
        let resolution = declaration.resolve(in: values)
        let replaced = state.withLock { state -> (any Sendable)? in
            // What was read while a layer changed is right for this reader, and too old for the next.
            guard state.generation == generation else { return nil }
            state.published[declaration.slot] = declaration
            return slots.publish(resolution.value, at: declaration.slot)
        }
        withExtendedLifetime(replaced) {}
        reportOnce(resolution.refused)
        return resolution.value
    }

    /// Takes note of a reader that found texts which mean nothing to it.
    private func note(_ refused: [RefusedValue], readBy declaration: any AnyFlagDeclaration) {
        state.withLock { $0.published[declaration.slot] = declaration }
        reportOnce(refused)
    }
}

// Layers change here and nowhere else.
extension FlagStore {
    /// Changes layers: readers find what follows from that before any observer is told of it, and all of it at once.
    ///
    /// - Parameters:
    ///   - layers: the layers that may change.
    ///   - change: changes the contents and returns whether that may change values. It may not change layers itself.
    ///   - tell: tells of more than values, once they can be read.
    /// - Returns: the contents before, and texts that now mean nothing to those who read them, to be reported.
    private func update(
        _ layers: Set<Layer>, _ change: (inout StoreContents) -> Bool,
        thenTelling tell: (inout StoreState, _ before: StoreContents) -> Void
    ) -> (before: StoreContents, refused: [RefusedValue]) {
        changing.withLock { _ in
            let before = state.withLock { $0.contents }
            var after = before
            let hasChanged = change(&after)
            var update = ContentsUpdate(of: hasChanged ? layers : [], from: before, to: after)
            while true {
                let replaced = state.withLock { state -> [any Sendable]? in
                    guard update.isComplete(for: state) else { return nil }
                    defer { tell(&state, before) }
                    return update.commit(to: &state, slots: slots)
                }
                if let replaced { return withExtendedLifetime(replaced) { (before, update.refused) } }
                let (readers, observers) = state.withLock { ($0.published, $0.feeds) }
                update.prepare(for: readers, observers)
            }
        }
    }

    /// Takes over what the sources say, and then tells those that observe that.
    private func take(_ update: RemoteUpdate) {
        if !update.cause.isProgress {
            let before = changeRemote { $0.take(update.state) }
            let (errors, known) = (update.state.errors, before.sources.errors)
            if !errors.isEmpty, errors != known { logger.warning("\(errors.joined(separator: " "))") }
        }
        for observer in state.withLock({ $0.remoteObservers.values }) { observer(update) }
    }

    /// Takes over remote values that the app gave itself.
    func take(_ pushed: PushedRemote) {
        changeRemote { $0.take(pushed) }
        remote.announceOwnValues()
    }

    /// Changes what is read of the remote side; returns the contents before.
    @discardableResult
    private func changeRemote(_ change: (inout StoreContents) -> Bool) -> StoreContents {
        let (before, refused) = update([.remote, .default], change) { state, _ in state.tellStatus() }
        reportOnce(refused)
        return before
    }

    /// Takes over the overrides that `change` makes of those of now, and what is wrong with their file.
    ///
    /// - Returns: texts that mean nothing to those who read them, and the problem where it is new, to be reported where no
    ///   lock is held: a log handler may wait for another thread.
    func takeOverrides(
        problem: String? = nil, _ change: ([String: Override]) -> [String: Override]
    ) -> (refused: [RefusedValue], newProblem: String?) {
        let (before, refused) = update([.override]) { contents in
            contents.storeProblem = problem
            contents.values.overrides = change(contents.values.overrides)
            return true
        } thenTelling: { state, before in
            // A watch may tell of a file that says what it said before.
            guard
                state.contents.values.overrides != before.values.overrides
                    || problem != before.storeProblem
            else { return }
            state.tellOverrides()
        }
        return (refused, problem == before.storeProblem ? nil : problem)
    }

    /// Reads the override file and takes it over.
    package func readOverrides() {
        guard let overrides else { return }
        let (refused, problem) = reading.withLock { revision in
            let found = overrides.read()
            revision = found.table.revision
            defer { for observer in state.withLock({ $0.storeObservers.values }) { observer(found) } }
            return takeOverrides(problem: found.problem) { _ in found.table.overrides }
        }
        reportOnce(refused)
        if let problem { logger.warning("\(problem)") }
    }

    /// Takes over overrides that were just written, before the watch tells of them.
    package func take(_ commit: StoreCommit) {
        let refused = reading.withLock { revision -> [RefusedValue]? in
            // The file may have been read since, when another process had written it, or damaged it.
            let isNewest = commit.table.revision >= revision && state.withLock { $0.contents.storeProblem == nil }
            guard isNewest else { return nil }
            revision = commit.table.revision
            return takeOverrides { _ in commit.table.overrides }.refused
        }
        guard let refused else { return readOverrides() }
        reportOnce(refused)
    }

    /// Tells of texts that mean nothing to whoever read them, of each once in the life of the store.
    func reportOnce(_ refused: [RefusedValue]) {
        guard !refused.isEmpty else { return }
        for value in state.withLock({ $0.news(among: refused) }) { logger.warning("\(value.sentence)") }
    }
}
