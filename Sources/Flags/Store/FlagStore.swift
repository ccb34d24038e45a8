import Dispatch
package import FlagModel
import FlagPresence
public import FlagRemote
package import FlagStorage
import Logging
public import Synchronization

/// Reads, observes and overrides the flags of an app; an app creates one when it starts.
///
/// Opening a store never waits for a network and never fails; only an id that names no folder stops the program. If overrides cannot be read, remote values and defaults
/// are in use and ``issues`` says why. Reading a declared key takes about a nanosecond; see <doc:Precedence>.
///
/// ```swift
/// let flags = FlagStore(app: "shop", sources: [RemoteFile("remote.json")], options: .init(overrides: .open))
/// await flags.start()
/// if flags[.multipleLocations] { showLocations() }
/// ```
public final class FlagStore: Sendable {
    // A store is one value, `StoreContents`. `replaceContents` alone replaces it, and `publish` delivers the change to the
    // observers. A thread locks in this order, and has none of these locks while code of the app or an observer runs:
    //
    // 1. the lock of `publication`: changes are made one after another. The override file is read with it, so that an
    //    older reading cannot replace a newer one;
    // 2. `state`: what readers need, locked only for moments;
    // 3. the lock of one slot.

    /// The app's id. A menu that is opened with the same id changes the overrides of this store.
    public let app: String
    /// The path of the override file; `nil` if overrides are closed or not saved.
    public var overridePath: String? { overrides?.path }
    /// When fetched values become active.
    public var activation: Activation { remote.policy.activation }

    @usableFromInline let slots = SlotTable()
    /// The number of open scopes of ``withOverrides(_:operation:)`` in all tasks.
    @usableFromInline let scopeCount = Atomic<Int>(0)
    /// The number of handlers of ``onEvaluation(_:)``.
    let handlerCount = Atomic<Int>(0)
    /// The revision of the contents: it is new before any slot has a value of the new contents.
    let revision = Atomic<Int>(0)
    let state = Mutex(StoreState())
    private let hasOpenedRemote = Atomic(false)
    private let hasOpenedTeam = Atomic(false)
    package let remote: RemoteEngine
    let knownOverrides: OverrideStore?
    private let knownTeam: (any TeamLayer)?
    private let knownTeamEngine: RemoteEngine?
    private let isOpen: Atomic<Bool>
    let logger: Logger
    /// Launch values; why those of the environment are ignored, if they are.
    private let launch: (values: LayerContent, issue: String?)
    /// How many changes are being made with ``whileChanging(_:)``.
    let changeCount = Atomic<Int>(0)
    let publication = Publication()
    /// Where the app's overrides are written.
    let writing = DispatchQueue(label: "flags.write", qos: .userInitiated)
    /// The state folders in which the app announces itself; empty if it does not.
    let presenceFolders: [String]
    /// The folder of the overrides, also if they are closed; `nil` if they are not saved.
    let storeFolder: String?

    /// Opens the flags of an app with its current overrides and the last good remote values.
    ///
    /// - Parameters:
    ///   - app: the app's id, which is also the name of its folders: 1 to 200 bytes without `/`.
    ///   - sources: the sources of remote values; the first one with a key wins. See ``start(waitingAtMost:)``.
    ///   - options: what else can be chosen, such as whether overrides are used; by default, they are not.
    public convenience init(app: String, sources: [any RemoteSource] = [], options: Options = Options()) {
        precondition(AppFolders.isName(app), "\"\(app)\" cannot be an app id: it names a folder.")
        let folders = AppFolders(app: app, home: ProcessEnvironment.home, variable: ProcessEnvironment.variable)
        let namedDirectory = options.storeDirectory ?? ProcessEnvironment.variable("FLAGMENU_STORE")
        // The overrides of the developer who runs tests must not decide whether they pass.
        let isInMemory = namedDirectory == nil && ProcessEnvironment.isTestProcess
        if isInMemory {
            options.logger.notice(
                "\(app) runs tests, without this machine's overrides. storeDirectory or FLAGMENU_STORE names others.")
        }
        let directory = namedDirectory ?? folders.state
        // Resolved now, as the app may change its working directory later.
        let storeFolder = WorkingDirectory.resolve(directory)
        // Two simulators share overrides, but not fetched values.
        let processFolders = AppFolders(
            app: app, home: ProcessEnvironment.ownHome, variable: ProcessEnvironment.variable)
        let cache = WorkingDirectory.resolve(options.cacheDirectory ?? "\(processFolders.cache)/library")
        let fromEnvironment = ProcessEnvironment.launchValues()
        let defaults = ValueTable(options.defaults.map { (key: FlagText($0.key), value: FlagText($0.value)) })
        self.init(
            app: app, access: options.overrides,
            overrides: isInMemory
                ? nil
                : OverrideStore(
                    directory: storeFolder, author: ProcessEnvironment.userName, now: options.clock.now),
            remote: RemoteEngine(
                sources: sources, cache: RemoteCache(folder: cache),
                policy: RemotePolicy(activation: options.activation, minimumInterval: options.minimumFetchInterval),
                clock: options.clock),
            team: options.team, teamCache: RemoteCache(folder: "\(cache)/team"),
            values: LayerValues([
                .launch: LayerContent(
                    texts: options.launch.merging(fromEnvironment.values) { _, fromEnvironment in fromEnvironment }),
                .default: LayerContent(defaults),
            ]),
            launchIssue: fromEnvironment.issue,
            presenceFolders: options.announces && !isInMemory
                ? RunningApps.stateFolders(state: folders.state, store: storeFolder) : [],
            logger: options.logger)
        do throws(StorageError) {
            try remote.followFiles()
        } catch {
            logger.warning("Changes of the sources' files show at the next fetch: \(error)")
        }
        open()
        guard !sources.isEmpty || teamEngine != nil else { return }
        // Not a task: once the shared pool has run one, libdispatch on Linux wakes the process every second.
        DispatchQueue(label: "flags.save", qos: .utility).async { [remote, knownTeamEngine] in
            remote.save()
            knownTeamEngine?.save()
        }
    }

    /// A store that has read nothing yet; see ``open()``.
    ///
    /// - Parameters:
    ///   - overrides: the store of overrides; `nil` if overrides are not saved.
    ///   - team: the overrides that a team shares; `nil` without a team.
    ///   - teamCache: the last good values of the team.
    ///   - values: launch values, team values and defaults.
    ///   - presenceFolders: the folders in which the app announces itself; empty if it does not.
    package init(
        app: String, access: OverrideAccess, overrides: OverrideStore?, remote: RemoteEngine,
        team: (any TeamLayer)? = nil, teamCache: RemoteCache = RemoteCache(folder: nil), values: LayerValues,
        launchIssue: String? = nil, presenceFolders: [String] = [], logger: Logger? = nil
    ) {
        self.presenceFolders = presenceFolders
        storeFolder = overrides.map { FilePath.folder(of: $0.path) }
        launch = (values[.launch], launchIssue)
        self.app = app
        self.logger = logger ?? Logger(label: "flags") { _ in SwiftLogNoOpLogHandler() }
        self.remote = remote
        (knownOverrides, knownTeam) = (overrides, team)
        isOpen = Atomic(access.isOpen)
        knownTeamEngine = team.map { team in
            RemoteEngine(
                sources: [team.source], cache: teamCache,
                policy: RemotePolicy(activation: .immediately, minimumInterval: .zero, timeLimit: .seconds(15)),
                clock: remote.clock)
        }
        var values = values
        if !access.isOpen { for layer in FlagLayer.aboveRemote { values[layer] = LayerContent() } }
        state.withLock { [values] in $0.contents = StoreContents(values) }
        // Until the store ends.
        _ = publication.add(after: { 0 }, onEnd: {}) { [weak self] change in self?.report(change) }
    }

    /// Whether overrides are used.
    public var access: OverrideAccess { .when(isOpen.load(ordering: .acquiring)) }
    /// The store of overrides; `nil` if overrides are closed or not saved.
    package var overrides: OverrideStore? { access.isOpen ? knownOverrides : nil }
    /// The overrides that a team shares; `nil` without a team, or if overrides are closed.
    package var team: (any TeamLayer)? { access.isOpen ? knownTeam : nil }
    /// The engine for the team's values; `nil` without a team, or if overrides are closed.
    package var teamEngine: RemoteEngine? { access.isOpen ? knownTeamEngine : nil }
    /// Why launch values of the environment are ignored; `nil` if they are used, or if there are none.
    var launchIssue: String? { access.isOpen ? launch.issue : nil }

    /// Allows overrides, launch values and team values while the app runs, such as for a tester who signs in, or ends
    /// their use. Values change at once. To be called by one task at a time. An app with a team calls
    /// ``followRemote()`` again after opening; overrides that are only in memory end with closing.
    public func setAccess(_ access: OverrideAccess) {
        guard isOpen.exchange(access.isOpen, ordering: .acquiringAndReleasing) != access.isOpen else { return }
        endPresence()
        if access.isOpen {
            replaceContents(.access) { [launch] in self.access.isOpen ? $0.open(launch: launch.values) : nil }
            publish()
            openTeam()
            startWatching()
            announceOverrides()
        } else {
            endOverrides()
            replaceContents(.access) { self.access.isOpen ? nil : $0.close() }
            publish()
            // The tester's contexts end, too.
            replaceContexts(isRequested: false)
        }
        startPresence()
    }

    /// Everything that the store knows.
    package var contents: StoreContents { state.withLock { $0.contents } }

    /// The current remote values and sources.
    package var remoteReading: RemoteReading { contents.remote }

    package var now: @Sendable () -> FlagTimestamp { remote.clock.now }

    /// The folder in which the app and others like it announce themselves; `nil` if the app does not.
    package var presenceFolder: String? { presenceFolders.last }

    /// Reads the files and the cache, and then watches the overrides. Sends no request.
    package func open() {
        if let launchIssue { logger.warning("\(launchIssue)") }
        openRemote()
        startWatching()
        announceOverrides()
        startPresence()
    }

    /// Reads the files and cached values of the sources; a second call has no effect.
    package func openRemote(isFromCache: Bool = false) {
        guard !hasOpenedRemote.exchange(true, ordering: .relaxed) else { return }
        remote.observe({ [weak self] in self?.receive($0) }, afterwards: { [weak self] in self?.publish() })
        if let (document, cachedAt) = remote.cachedPush() {
            replaceContents(.pushed) { $0.push(document, at: cachedAt) }
        }
        // The sources are opened for the tester's contexts.
        if contents.overrideFile == nil, remote.configured.contains(where: { $0 is any EvaluatedSource }) {
            readOverrides()
        }
        remote.open(overriding: contents.contexts, isFromCache: isFromCache)
        openTeam()
    }

    /// Reads the cached values of the team; a second call has no effect.
    private func openTeam() {
        guard let teamEngine, !hasOpenedTeam.exchange(true, ordering: .relaxed) else { return }
        teamEngine.observe({ [weak self] in self?.receiveTeam($0) }, afterwards: { [weak self] in self?.publish() })
        teamEngine.open()
    }

    deinit {
        stopUpdates()
        endPresence()
        publication.end()
    }

    /// All flags at this moment.
    public func snapshot() -> FlagSnapshot {
        let shared = state.withLock { $0.shared }
        return FlagSnapshot(shared: hasScopes ? ScopedOverrides.applied(to: shared, of: self) : shared, store: self)
    }

    /// Whether a task may see other values than the rest of the process.
    @inlinable var hasScopes: Bool { scopeCount.load(ordering: .relaxed) != 0 }

    /// Whether it is this task.
    @usableFromInline var isInScope: Bool { ScopedOverrides.current != nil }

    /// Reads a key without its slot, and fills the slot for the next reader.
    @usableFromInline
    func slowValue<Value>(_ key: FlagKey<Value>) -> Value {
        let declaration = key.declaration
        if hasScopes {
            if let text = ScopedOverrides.text(of: declaration.name, in: self) {
                return value(ofScope: text, for: key)
            }
            if let value = slots.value(at: declaration.slot, as: Value.self) { return value }
        }
        let contents = contents
        let resolution = declaration.resolve(in: contents.values)
        if !isReporting { publish(resolution, of: declaration, in: contents) }
        return resolution.value
    }

    private func value<Value>(ofScope text: String, for key: FlagKey<Value>) -> Value {
        // An invalid text is reported, and the next layer is used. Handlers need the details.
        guard !hasHandlers, let value = try? key.declaration.value(of: text) else {
            return snapshot().read(key).value
        }
        return value
    }

    /// The value of a key in some contents, if they are the current ones and the value was read before.
    func value<Value>(of key: FlagKey<Value>, at shared: SharedContents) -> Value? {
        guard revision.load(ordering: .acquiring) == shared.value.revision,
            let value = slots.value(at: key.slot, as: Value.self),
            // The slot may have got the value of later contents meanwhile.
            revision.load(ordering: .acquiring) == shared.value.revision
        else { return nil }
        return value
    }
}

// Where changes come from.
extension FlagStore {
    /// Uses a new state of the sources. Called with a lock of the engine, which publishes afterwards.
    private func receive(_ update: RemoteUpdate) {
        replaceContents(.sources(update)) { $0.receive(update.state) }
    }

    /// Uses a new state of the team's values, as for the sources.
    private func receiveTeam(_ update: RemoteUpdate) {
        guard !update.cause.isProgress else { return }
        replaceContents(.team) { $0.receiveTeam(update, isUsed: access.isOpen) }
    }

    /// Lists the flags that code declares for menus, servers and commands.
    package func listDeclared(_ declared: DeclaredFlags) {
        replaceContents(.declared) { $0.remote.snapshot.declared == declared ? nil : $0.list(declared) }
        publish()
    }

    /// Reads the override file and uses its overrides.
    package func readOverrides(ifChanged: Bool = false) {
        guard let overrides else { return }
        replaceContents(.overrideFile) { contents in
            guard access.isOpen else { return nil }
            let file = overrides.read()
            return ifChanged && file == contents.overrideFile ? nil : contents.receive(file)
        }
        awaitEnd()
        publish()
        if changeCount.load(ordering: .sequentiallyConsistent) == 0 { replaceContexts(isRequested: false) }
    }

    /// Uses changes that were just written, without waiting for the watch.
    ///
    /// - Parameter isContextRequested: whether the caller reports the new context to the user.
    /// - Returns: the revision of the contents with these overrides; `nil` if the file has changed since.
    @discardableResult
    package func receive(_ commit: StoreCommit, isContextRequested: Bool = false) -> Int? {
        let revision = replaceContents(.written) { contents in
            // Since this commit, another process may have written or damaged the file, and this process may have read
            // it. Or the store was closed.
            guard access.isOpen, commit.table.revision >= contents.overrideFile?.table.revision ?? 0,
                contents.overrideFile?.issue == nil
            else { return nil }
            return contents.receive(StoreReading(commit))
        }
        if revision == nil {
            readOverrides()
        } else {
            awaitEnd()
            publish()
        }
        replaceContexts(isRequested: isContextRequested)
        return revision
    }
}
