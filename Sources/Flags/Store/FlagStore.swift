import FlagModel
public import FlagRemote
import FlagStorage
public import Logging
public import Synchronization

/// The flags of an app: the values of every layer, the effective value, and changes.
///
/// Opening a store never waits for a network and never fails. If overrides cannot be read, remote values and defaults
/// are in use and ``problems`` says why. Reading a declared key takes about a nanosecond; see <doc:Precedence>.
///
/// ```swift
/// let flags = FlagStore(app: "shop", sources: [RemoteFile("remote.json")])
/// await flags.start()
/// if flags[.multipleLocations] { showLocations() }
/// ```
public final class FlagStore: Sendable {
    /// The app's id. A menu that is opened for the same id changes the overrides of this store.
    public let app: String
    /// The path of the overrides; `nil` if overrides are closed or not saved.
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
    /// Why launch values of the environment are ignored; `nil` if they are used, or there are none.
    let launchProblem: String?
    /// Whether a menu lists the keys that code declares.
    let listsDeclaredKeys: Bool
    /// The values below the remote ones that the store was opened with.
    let ownDefaults: ValueTable
    /// Locked while layers change, so that changes are sequential. Always before ``state``.
    let changing = Mutex<Void>(())
    /// The revision of the overrides in use. Locked while the override file is read, so that the newest reading is the
    /// last. Before all other locks.
    private let reading = Mutex(0)
    let watch = Mutex<DirectoryWatch?>(nil)
    private let endRemote = Mutex<(@Sendable () -> Void)?>(nil)

    /// Opens the flags of an app with its current overrides and the last good remote values.
    ///
    /// - Parameters:
    ///   - app: the app's id, which names its folders: 1 to 200 bytes without `/`.
    ///   - sources: where remote values come from; the first that has a key wins. See ``start(waitingAtMost:)``.
    ///   - defaults: values below the remote ones, by key; each declared key has its own default below these.
    ///   - overrides: whether launch values, overrides and team values are used.
    ///   - launch: values of this run alone, which win over everything; by default, those of the environment variable
    ///     `FLAGMENU_LAUNCH`.
    ///   - team: overrides that a team shares, below this machine's.
    ///   - activation: when fetched values become the ones that are read.
    ///   - minimumFetchInterval: how long fetched values count as new; 12 hours, as in Firebase's clients. Use zero while
    ///     developing.
    ///   - storeDirectory: the folder of overrides; by default, `FLAGMENU_STORE` or the folder that `flagmenu --app`
    ///     uses.
    ///   - cacheDirectory: the folder of cached remote values; by default, the app's folder in the user's cache.
    ///   - clock: time and randomness; the system's, unless a test replaces it.
    ///   - logger: logs active overrides, invalid values, and unreadable files.
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
        // Resolved now: an app may change its working directory later.
        let place = WorkingDirectory.resolve(directory)
        // Two simulators share overrides, but not fetched values.
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

    /// A store from its parts that has read nothing yet; see ``open()``.
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

    /// Reads files and the cache without a request, and follows the overrides from then on.
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

    /// Whether any task may see other values than the rest of the process.
    @inlinable var hasScopes: Bool { scopeCount.load(ordering: .relaxed) != 0 }

    /// Reads a key without its slot, and fills the slot for the next reader.
    @usableFromInline
    func slowValue<Value>(_ key: FlagKey<Value>) -> Value {
        let declaration = key.declaration
        if hasScopes, ScopedOverrides.hasText(of: key.name, in: self) { return snapshot()[key] }
        let (values, generation) = state.withLock { ($0.contents.values, $0.generation) }
        let resolution = declaration.resolve(in: values)
        let replaced = state.withLock { state -> (any Sendable)? in
            // A value read while a layer changed is right for this reader, but too old for the next.
            guard state.generation == generation else { return nil }
            state.published[declaration.slot] = declaration
            return slots.publish(resolution.value, at: declaration.slot)
        }
        withExtendedLifetime(replaced) {}
        reportOnce(resolution.refused)
        return resolution.value
    }

    /// Records a reader that found invalid texts.
    private func note(_ refused: [RefusedValue], readBy declaration: any AnyFlagDeclaration) {
        state.withLock { $0.published[declaration.slot] = declaration }
        reportOnce(refused)
    }
}

// The only code that changes layers.
extension FlagStore {
    /// Changes layers: readers see the whole change at once, before any observer is notified of it.
    ///
    /// - Parameters:
    ///   - layers: the layers that may change.
    ///   - change: changes the contents and returns whether that may change values. It must not change layers itself.
    ///   - tell: publishes more than values, once they can be read.
    /// - Returns: the contents before, and invalid texts to be reported.
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

    /// Takes over an update of the sources, and then notifies its observers.
    private func take(_ update: RemoteUpdate) {
        if !update.cause.isProgress {
            let before = changeRemote { $0.take(update.state) }
            let (errors, known) = (update.state.errors, before.sources.errors)
            if !errors.isEmpty, errors != known { logger.warning("\(errors.joined(separator: " "))") }
        }
        for observer in state.withLock({ $0.remoteObservers.values }) { observer(update) }
    }

    /// Takes over remote values that the app set itself.
    func take(_ pushed: PushedRemote) {
        changeRemote { $0.take(pushed) }
        remote.announceOwnValues()
    }

    /// Changes the remote side; returns the contents before.
    @discardableResult
    private func changeRemote(_ change: (inout StoreContents) -> Bool) -> StoreContents {
        let (before, refused) = update([.remote, .default], change) { state, _ in state.tellStatus() }
        reportOnce(refused)
        return before
    }

    /// Takes over the overrides that `change` makes from the current ones, and the error of their file.
    ///
    /// - Returns: invalid texts, and the error if it is new, to be reported outside the lock: a log handler may wait
    ///   for another thread.
    func takeOverrides(
        problem: String? = nil, _ change: ([String: Override]) -> [String: Override]
    ) -> (refused: [RefusedValue], newProblem: String?) {
        let (before, refused) = update([.override]) { contents in
            contents.storeProblem = problem
            contents.values.overrides = change(contents.values.overrides)
            return true
        } thenTelling: { state, before in
            // A watch may report a file whose content is the same.
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

    /// Takes over overrides that were just written, before the watch reports them.
    package func take(_ commit: StoreCommit) {
        let refused = reading.withLock { revision -> [RefusedValue]? in
            // The file may have been read since, after another process had written or damaged it.
            let isNewest = commit.table.revision >= revision && state.withLock { $0.contents.storeProblem == nil }
            guard isNewest else { return nil }
            revision = commit.table.revision
            return takeOverrides { _ in commit.table.overrides }.refused
        }
        guard let refused else { return readOverrides() }
        reportOnce(refused)
    }

    /// Reports invalid texts, each a single time in the life of the store.
    func reportOnce(_ refused: [RefusedValue]) {
        guard !refused.isEmpty else { return }
        for value in state.withLock({ $0.news(among: refused) }) { logger.warning("\(value.sentence)") }
    }
}
