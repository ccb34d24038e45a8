import FlagModel
public import FlagRemote
import FlagStorage
public import Logging
public import Synchronization

/// The flags of an app: the values of every layer, the effective value, and changes.
///
/// Opening a store never waits for a network and never fails. If overrides cannot be read, remote values and defaults
/// are in use and ``issues`` says why. Reading a declared key takes about a nanosecond; see <doc:Precedence>.
///
/// ```swift
/// let flags = FlagStore(app: "shop", sources: [RemoteFile("remote.json")])
/// await flags.start()
/// if flags[.multipleLocations] { showLocations() }
/// ```
public final class FlagStore: Sendable {
    /// The app's id. A menu that is opened with the same id changes the overrides of this store.
    public let app: String
    /// The path of the override file; `nil` if overrides are closed or not saved.
    public let overridePath: String?
    /// When fetched values become active.
    public let activation: Activation

    @usableFromInline let slots = SlotTable()
    /// The number of reasons why reads do not use slots: open scopes of ``withOverrides(_:operation:)`` in all tasks, and
    /// handlers of ``onEvaluation(_:)``. Both need no load of their own in a read.
    @usableFromInline let slowReadCount = Atomic<Int>(0)
    let state: Mutex<StoreState>
    package let remote: RemoteEngine
    /// The overrides that a team shares; `nil` without a team.
    package let team: (any TeamLayer)?
    /// The engine for the team's values; `nil` without a team.
    package let teamEngine: RemoteEngine?
    let overrides: OverrideStore?
    let logger: Logger
    let access: OverrideAccess
    /// Why launch values of the environment are ignored; `nil` if they are used, or if there are none.
    let launchIssue: String?
    /// Returns the flags that a menu lists because code declares them.
    let declared: @Sendable () -> DeclaredFlags
    /// The defaults that the store was opened with; remote values win over them.
    let storeDefaults: ValueTable
    /// Locked while layers change, so that changes are sequential. Always locked before ``state``.
    let changeLock = Mutex<Void>(())
    /// The revision of the overrides in use. Locked while the override file is read, so that an older reading cannot
    /// replace a newer one. Always locked before the other locks.
    private let overrideRevision = Mutex(0)
    let watch = Mutex<DirectoryWatch?>(nil)
    /// The flags that views and models observe; see ``ObservableFlags``.
    let observedValues = ObservedValues()
    /// The folders in which the app announces itself, and keeps its declarations in the last one; empty if it does not.
    let presenceFolders: [String]
    /// The folder of the overrides, also if they are closed; `nil` if they are not saved.
    let storeFolder: String?
    let presence = Mutex<PresenceAnnouncer?>(nil)
    /// Where a build without overrides announces itself.
    let closedPresence = Mutex(ClosedPresence())
    private let endRemote = Mutex<(@Sendable () -> Void)?>(nil)
    private let endTeam = Mutex<(@Sendable () -> Void)?>(nil)

    /// Opens the flags of an app with its current overrides and the last good remote values.
    ///
    /// - Parameters:
    ///   - app: the app's id, which is also the name of its folders: 1 to 200 bytes without `/`.
    ///   - sources: the sources of remote values; the first one with a key wins. See ``start(waitingAtMost:)``.
    ///   - defaults: default values by key, used if no source has the key. They win over the defaults of declared keys.
    ///   - overrides: whether launch values, overrides and team values are used.
    ///   - launch: values for this run only, which win over all others; by default, the values in the environment
    ///     variable `FLAGMENU_LAUNCH`.
    ///   - team: overrides that a team shares, such as in etcd. Overrides of this machine win over them.
    ///   - declares: keys that menus list before the code first reads them. A static member of a type is created when
    ///     it is first used; until then, nobody knows of it.
    ///   - announces: whether menus and commands see that the app runs, and which values it uses. If overrides are
    ///     closed, the app only says how many overrides it ignores, as soon as a menu is used with it.
    ///   - activation: when fetched values become active.
    ///   - minimumFetchInterval: the age up to which fetched values are not requested again; by default 12 hours, as in
    ///     Firebase's clients. Use zero while developing.
    ///   - storeDirectory: the folder of overrides; by default, `FLAGMENU_STORE` or the folder that `flagmenu --app`
    ///     uses. The app announces itself in both, so that menus see where its overrides are.
    ///   - cacheDirectory: the folder of cached remote values; by default, the app's folder in the user's cache.
    ///   - clock: time and randomness; by default, those of the system.
    ///   - logger: logs active overrides, invalid values, and unreadable files.
    public convenience init(
        app: String, sources: [any RemoteSource] = [], defaults: FlagTable<String> = [:],
        overrides: OverrideAccess = .debugBuilds, launch: FlagTable<String>? = nil, team: (any TeamLayer)? = nil,
        declares: [any DeclaredKey] = [], announces: Bool = true, activation: Activation = .immediately,
        minimumFetchInterval: Duration = .seconds(12 * 3_600),
        storeDirectory: String? = nil, cacheDirectory: String? = nil, clock: SourceClock = .system,
        logger: Logger = Logger(label: "flags")
    ) {
        precondition(AppFolders.isName(app), "\"\(app)\" cannot be an app id: it names a folder.")
        let folders = AppFolders(app: app, home: ProcessEnvironment.home, variable: ProcessEnvironment.variable)
        let directory = storeDirectory ?? ProcessEnvironment.variable("FLAGMENU_STORE") ?? folders.state
        // Resolved now, as the app may change its working directory later.
        let storeFolder = WorkingDirectory.resolve(directory)
        // Two simulators share overrides, but not fetched values.
        let processFolders = AppFolders(
            app: app, home: ProcessEnvironment.ownHome, variable: ProcessEnvironment.variable)
        let cache = WorkingDirectory.resolve(cacheDirectory ?? "\(processFolders.cache)/library")
        let fromEnvironment =
            launch == nil && overrides.isOpen ? ProcessEnvironment.launchValues() : (values: [:], issue: nil)
        self.init(
            app: app, access: overrides,
            overrides: OverrideStore(
                directory: storeFolder, author: ProcessEnvironment.userName, now: clock.now),
            remote: RemoteEngine(
                sources: sources, cache: RemoteCache(folder: cache),
                contextFile: overrides.isOpen ? ContextFile(directory: folders.state, now: clock.now) : nil,
                policy: RemotePolicy(activation: activation, minimumInterval: minimumFetchInterval), clock: clock),
            team: team, teamCache: RemoteCache(folder: "\(cache)/team"),
            values: LayerValues([
                .launch: LayerContent(texts: launch ?? fromEnvironment.values),
                .default: LayerContent(
                    ValueTable(defaults.map { (key: FlagText($0.key), value: FlagText($0.value)) })),
            ]),
            launchIssue: fromEnvironment.issue,
            presenceFolders: announces
                ? AppDeclarations.folders(state: folders.state, store: storeFolder) : [],
            logger: logger)
        open()
        let (remote, teamEngine) = (remote, teamEngine)
        Task {
            remote.save()
            teamEngine?.save()
        }
    }

    /// A store that has read nothing yet; see ``open()``.
    ///
    /// - Parameters:
    ///   - overrides: the store of overrides; `nil` if overrides are not saved.
    ///   - team: the overrides that a team shares; `nil` without a team.
    ///   - teamCache: the last good values of the team.
    ///   - values: launch values, team values and defaults.
    ///   - declared: returns the flags that a menu lists because code declares them: by default the code of this
    ///     process, and for the flags of other programs what these have announced.
    ///   - presenceFolders: the folders in which the app announces itself; empty if it does not.
    package init(
        app: String, access: OverrideAccess, overrides: OverrideStore?, remote: RemoteEngine,
        team: (any TeamLayer)? = nil, teamCache: RemoteCache = RemoteCache(folder: nil), values: LayerValues,
        declared: @escaping @Sendable () -> DeclaredFlags = DeclaredFlags.ofThisProcess, launchIssue: String? = nil,
        presenceFolders: [String] = [],
        logger: Logger? = nil
    ) {
        self.presenceFolders = presenceFolders
        storeFolder = overrides.map { FilePath.folder(of: $0.path) }
        self.declared = declared
        self.launchIssue = launchIssue
        self.app = app
        activation = remote.policy.activation
        self.logger = logger ?? Logger(label: "flags") { _ in SwiftLogNoOpLogHandler() }
        self.access = access
        self.remote = remote
        self.overrides = access.isOpen ? overrides : nil
        self.team = access.isOpen ? team : nil
        teamEngine = self.team.map { Self.teamEngine($0, cache: teamCache, clock: remote.clock) }
        overridePath = self.overrides?.path
        storeDefaults = values.defaults
        var values = values
        if !access.isOpen { for layer in FlagLayer.aboveRemote { values[layer] = LayerContent() } }
        state = Mutex(StoreState(StoreContents(values)))
    }

    /// The folder in which the app and others like it announce themselves; `nil` if the app does not.
    package var presenceFolder: String? { presenceFolders.last }

    /// Reads the files and the cache, and then watches the overrides. Sends no request.
    package func open() {
        if let launchIssue { logger.warning("\(launchIssue)") }
        openRemote()
        follow()
        announceOverrides()
        startPresence()
    }

    /// Reads the files and cached values of the sources; a second call has no effect.
    package func openRemote(isFromCache: Bool = false) {
        let isFirst = endRemote.withLock { end in
            guard end == nil else { return false }
            end = remote.observe { [weak self] update in self?.take(update) }
            return true
        }
        guard isFirst else { return }
        remote.open(isFromCache: isFromCache)
        guard let teamEngine else { return }
        endTeam.withLock { $0 = teamEngine.observe { [weak self] update in self?.takeTeam(update) } }
        teamEngine.open()
    }

    deinit {
        stopUpdates()
        presence.withLock { $0?.end() }
        endRemote.withLock { $0?() }
        endTeam.withLock { $0?() }
        state.withLock { state in
            state.feeds.values.forEach { $0.end() }
            state.layerFeeds.values.forEach { $0.updates.finish() }
            state.statusFeeds.values.forEach { $0.finish() }
            state.overrideFeeds.values.forEach { $0.finish() }
        }
    }

    /// All flags at this moment.
    public func snapshot() -> FlagSnapshot {
        var snapshot = state.withLock { $0.contents.snapshot }
        snapshot.onRejection = { [weak self] declaration, refused in self?.note(refused, readBy: declaration) }
        snapshot.onRead = { [weak self] in self?.note($0, in: $1) }
        guard readsSlowly else { return snapshot }
        snapshot = ScopedOverrides.applied(to: snapshot, of: self)
        if reportsEvaluations { snapshot.onEvaluation = { [weak self] in self?.report($0) } }
        return snapshot
    }

    /// Whether a task may see other values than the rest of the process, or reads are reported.
    @inlinable var readsSlowly: Bool { slowReadCount.load(ordering: .relaxed) != 0 }

    /// Reads a key without its slot, and fills the slot for the next reader.
    @usableFromInline
    func slowValue<Value>(_ key: FlagKey<Value>) -> Value {
        let declaration = key.declaration
        if readsSlowly, ScopedOverrides.hasText(of: key.name, in: self) || reportsEvaluations {
            return snapshot()[key]
        }
        noteRead(of: declaration)
        // A changed value was decoded already, and is published to its first reader.
        if let value = slots.value(at: declaration.slot, as: Value.self) { return value }
        let (values, generation) = state.withLock { ($0.contents.values, $0.generation) }
        let resolution = declaration.resolve(in: values)
        publish(declaration.publishable(resolution), of: declaration, ifStill: generation)
        reportOnce(resolution.refused)
        return resolution.value
    }

    /// Records that a flag with invalid texts was read, and reports the texts.
    private func note(_ refused: [RejectedValue], readBy declaration: any AnyFlagDeclaration) {
        state.withLock { $0.readFlags.insert(declaration) }
        reportOnce(refused)
    }
}

// The only code that changes layers.
extension FlagStore {
    /// Changes layers: readers see the whole change at once, before any observer is notified.
    ///
    /// - Parameters:
    ///   - layers: the layers that may change.
    ///   - change: changes the contents and returns whether values may have changed. Must not call this function.
    ///   - notify: publishes changes other than values; called after the values are published.
    /// - Returns: the contents before the change, and invalid texts to report.
    private func update(
        _ layers: Set<FlagLayer>, _ change: (inout StoreContents) -> Bool,
        thenReporting notify: (inout StoreState, _ oldContents: StoreContents) -> Void
    ) -> (oldContents: StoreContents, refused: [RejectedValue]) {
        changeLock.withLock { _ in
            let oldContents = state.withLock { $0.contents }
            var newContents = oldContents
            let hasChanged = change(&newContents)
            var update = ContentsUpdate(of: hasChanged ? layers : [], from: oldContents, to: newContents)
            while true {
                let replaced = state.withLock { state -> [any Sendable]? in
                    guard update.isComplete(for: state) else { return nil }
                    defer { notify(&state, oldContents) }
                    return update.commit(to: &state, slots: slots)
                }
                if let replaced {
                    if hasChanged { presence.withLock { $0 }?.announce() }
                    return withExtendedLifetime(replaced) { (oldContents, update.refused) }
                }
                let (readers, observers) = state.withLock { ($0.readFlags, $0.feeds) }
                update.prepare(for: readers, observers)
            }
        }
    }

    /// Replaces the state of the sources, and then notifies observers of the update.
    private func take(_ update: RemoteUpdate) {
        if !update.cause.isProgress {
            let oldContents = changeRemote { $0.take(update.state) }
            let (errors, oldErrors) = (update.state.errors, oldContents.sources.errors)
            if !errors.isEmpty, errors != oldErrors { logger.warning("\(errors.joined(separator: " "))") }
        }
        for observer in state.withLock({ $0.remoteObservers.values }) { observer(update) }
    }

    /// Replaces the state of the team's values, and then notifies observers.
    private func takeTeam(_ update: RemoteUpdate) {
        guard !update.cause.isProgress else { return }
        let (oldContents, refused) = self.update([.team]) {
            $0.takeTeam(update)
        } thenReporting: { _, _ in
        }
        reportOnce(refused)
        let reading = state.withLock { $0.contents.team }
        if let error = reading.error, error != oldContents.team.error {
            logger.warning("\(error.asSentence) The team's last values stay in use.")
        }
        for issue in reading.issues where !oldContents.team.issues.contains(issue) { logger.warning("\(issue)") }
        for observer in state.withLock({ $0.teamObservers.values }) { observer(reading) }
    }

    /// Replaces the remote values that the app set itself.
    func take(_ pushed: PushedRemote) {
        changeRemote { $0.take(pushed) }
        remote.announceOwnValues()
    }

    /// Changes the remote values or sources; returns the contents before the change.
    @discardableResult
    private func changeRemote(_ change: (inout StoreContents) -> Bool) -> StoreContents {
        let (oldContents, refused) = update([.remote, .default], change) { state, _ in state.notifyStatus() }
        reportOnce(refused)
        return oldContents
    }

    /// Replaces the overrides with those that `change` returns for the current overrides. Sets the error of the
    /// override file.
    ///
    /// - Parameters:
    ///   - revision: the revision of the override file; `nil` without a file.
    ///   - issue: the error of the override file.
    ///   - change: returns the new overrides.
    /// - Returns: invalid texts, and the error if it is new. The caller reports them without a lock, as a log handler
    ///   may wait for another thread.
    func takeOverrides(
        revision: Int? = nil, issue: String? = nil, _ change: (FlagTable<FlagOverride>) -> FlagTable<FlagOverride>
    ) -> (refused: [RejectedValue], newIssue: String?) {
        let (oldContents, refused) = update([.override]) { contents in
            contents.overrideRevision = revision
            contents.storeIssue = issue
            contents.values.overrides = change(contents.values.overrides)
            return true
        } thenReporting: { state, oldContents in
            // Skipped if nothing has changed: a watch may also report a file with the same content.
            guard
                state.contents.values.overrides != oldContents.values.overrides
                    || issue != oldContents.storeIssue
            else { return }
            state.notifyOverrides()
        }
        return (refused, issue == oldContents.storeIssue ? nil : issue)
    }

    /// Reads the override file and uses its overrides.
    package func readOverrides() {
        guard let overrides else { return }
        let (refused, issue) = overrideRevision.withLock { revision in
            let reading = overrides.read()
            revision = reading.table.revision
            defer { for observer in state.withLock({ $0.storeObservers.values }) { observer(reading) } }
            return takeOverrides(revision: reading.table.revision, issue: reading.issue) { _ in reading.table.overrides
            }
        }
        reportOnce(refused)
        if let issue { logger.warning("\(issue)") }
    }

    /// Uses overrides that were just written, without waiting for the watch.
    package func take(_ commit: StoreCommit) {
        let refused = overrideRevision.withLock { revision -> [RejectedValue]? in
            // Since this commit, another process may have written or damaged the file, and this process may have read
            // it.
            let isNewest = commit.table.revision >= revision && state.withLock { $0.contents.storeIssue == nil }
            guard isNewest else { return nil }
            revision = commit.table.revision
            return takeOverrides(revision: commit.table.revision) { _ in commit.table.overrides }.refused
        }
        guard let refused else { return readOverrides() }
        reportOnce(refused)
    }

    /// Logs the invalid texts that were not logged before.
    func reportOnce(_ refused: [RejectedValue]) {
        guard !refused.isEmpty else { return }
        for value in state.withLock({ $0.markReported(refused) }) { logger.warning("\(value.sentence)") }
    }
}
