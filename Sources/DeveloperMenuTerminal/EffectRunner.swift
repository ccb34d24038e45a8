import DeveloperMenu
import Dispatch
import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagStorage
import Flags
import Synchronization
import TerminalShell

/// Runs the effects of a menu on a store, and posts their results as events.
///
/// Overrides are written on one queue, in the order of their requests. The observer of the store posts the results
/// of fetches and all other changes.
final class EffectRunner: Sendable {
    private let menu: TerminalMenu
    private let mailbox: Mailbox<Event>
    private let remote: RemoteReports
    private let transfer: OverrideTransfer
    private let work = DispatchQueue(label: "flagmenu.store")
    private let sources = DispatchQueue(label: "flagmenu.remote")
    private let reportQueue = DispatchQueue(label: "flagmenu.reports")
    private let state = Mutex(State())

    private struct State {
        /// Stop the work that ends with the menu; `nil` if the menu has ended.
        var stops: [@Sendable () -> Void]? = []
        /// Whether the first report is posted, or about to be.
        var hasOpened = false
        /// The revision of the store of the menu's last own change. Locked while overrides are posted: another thread
        /// may deliver an older reading late.
        var savedRevision = 0
    }

    init(_ menu: TerminalMenu, _ mailbox: Mailbox<Event>) {
        (self.menu, self.mailbox) = (menu, mailbox)
        (remote, transfer) = (RemoteReports(menu), OverrideTransfer(menu: menu))
    }

    private var flags: FlagStore { menu.flags }
    private var store: OverrideStore { menu.store }
    private var settings: MenuSettings { menu.settings }

    /// The delay after which the first frame is expected to be drawn. Other work starts after this delay, because
    /// threads that allocate memory at the same time slow each other down.
    private static let firstFrame = DispatchTimeInterval.milliseconds(20)

    /// Reads the store and the sources for the first time, and then watches both. This work runs on other threads,
    /// because the caller's thread sets up the terminal at the same time.
    func start(at now: FlagTimestamp) {
        let observation = flags.observe { [weak self] change in self?.post(change) }
        atEnd { observation.cancel() }
        sources.async {
            self.flags.readOverrides()
            // Nearly always there is none, and the overrides are not read twice.
            if (try? LiveSession.searchByHand(in: self.store)) != nil {
                self.mailbox.post(.store(self.bisect(nil, .read)))
            }
            self.listDeclared()
            self.flags.openRemote()
            self.state.withLock { $0.hasOpened = true }
            let reading = self.flags.remoteReading
            if let report = self.remote.opened(reading, isFetching: self.settings.startFetch != .nothing) {
                self.post(report)
            }
            self.post(.sourcesChanged(reading.sources.statuses))
            self.flags.teamReading.map(self.post)
            if self.settings.startFetch != .nothing { self.refresh() }
        }
        // Starts watching after the first frame, because the first watch starts a thread. The start of a watch reads
        // earlier changes.
        work.asyncAfter(deadline: .now() + Self.firstFrame) {
            guard !self.hasEnded else { return }
            if self.settings.isOpeningStore { self.flags.startWatching() }
            self.flags.contents.watchError.map { self.mailbox.post(.store(.notWatched(reason: $0))) }
            self.watchPreferences()
            self.watchApps()
            if let folder = self.settings.editingFolder { EditingFile.sweep(folder, at: now) }
        }
        sources.asyncAfter(deadline: .now() + Self.firstFrame) {
            self.flags.remote.save()
            self.flags.teamEngine?.save()
            guard self.settings.isOpeningStore else { return }
            let task = Task(executorPreference: OwnThreads.engine) { [flags = self.flags] in await flags.followRemote()
            }
            self.atEnd { task.cancel() }
        }
    }

    /// Stops watching, and cancels the running fetch.
    func stop() {
        let stops = state.withLock { state in
            defer { state.stops = nil }
            return state.stops ?? []
        }
        stops.forEach { $0() }
        cancelFetch()
        if settings.isOpeningStore { flags.stopUpdates() }
    }

    private var hasEnded: Bool { state.withLock { $0.stops == nil } }

    /// Calls `stop` when the menu ends; immediately if it has ended already.
    private func atEnd(_ stop: @escaping @Sendable () -> Void) {
        let isTooLate = state.withLock { $0.stops?.append(stop) == nil }
        if isTooLate { stop() }
    }

    func perform(_ effect: Effect, on terminal: TerminalControl) {
        switch effect {
        case .saveOverrides(let id, let edits, let label): write { .store(self.save(id, edits, label)) }
        case .moveHistory(let id, let move): write { .store(self.moveHistory(id, move)) }
        case .bisect(let id, let request): write { .store(self.bisect(id, request)) }
        case .changeTeam(let id, let request): changeTeam(id, request)
        case .fetchRemote(let id): fetch(id)
        case .cancelFetch: sources.async { self.cancelFetch() }
        case .activateRemote(let id): activate(id)
        case .changeContext(let id, let change): changeContext(id, change)
        case .setMouse(let isOn): if !terminal.setMouse(isOn), isOn { mailbox.post(.terminal(.mouseRefused)) }
        case .editOutside(let id, let text, let type):
            terminal.runOutside {
                let edit = OutsideEditor.edit(text, as: type, in: self.settings.editingFolder)
                self.mailbox.post(.terminal(.editedOutside(id: id, edit)))
            }
        case .readHistory(let id): report { .store(self.history(for: id)) }
        case .readStatus(let id, let tab): report { .status(id: id, lines: self.settings.statusLines(tab)) }
        // Runs on the queue of saves, so that the export includes earlier saves.
        case .exportOverrides(let id, let path, let isReplacing):
            write { .file(id: id, self.transfer.export(to: path, isReplacing: isReplacing)) }
        case .readImport(let id, let path): report { .file(id: id, self.transfer.readImport(path)) }
        // On the same queue, so that a saved scenario has all earlier changes.
        case .scenarios(let id, let request): write { .file(id: id, self.transfer.scenarios(after: request)) }
        case .completePath(let id, let typed):
            report { .file(id: id, .completed(self.transfer.paths(completing: typed))) }
        case .listOpenChoices(let id): respond(id) { .listed(self.settings.openChoices?() ?? []) }
        case .open(let id, let target):
            respond(id) { self.settings.prepareOpening(target).map(OpenEvent.refused) ?? .opened(target) }
        case .copy(let id, let text, let what):
            mailbox.post(.terminal(.copied(id: id, text, what: what, terminal.copy(text))))
        case .share(let id, let changes, let report):
            mailbox.post(transfer.copying(changes, report: report, for: id) { terminal.copy($0) })
        // Posted before this returns: line mode waits only for the requests of a sheet.
        case .findShared(let id, let text): mailbox.post(.file(id: id, transfer.shared(in: text)))
        case .suspend: terminal.suspend()
        case .repaint: terminal.repaint()
        }
    }

    /// Posts a response that only reads, and need not wait for the queue of saves.
    private func report(_ response: @escaping @Sendable () -> Event) {
        reportQueue.async { self.mailbox.post(response()) }
    }
}

// Effects on the remote sources.
extension EffectRunner {
    /// Fetches the sources, replacing a running fetch.
    private func fetch(_ request: RequestID) {
        post(.fetchStarted(id: request))
        sources.async {
            guard !self.hasEnded else { return }
            self.cancelFetch()
            self.flags.remote.request(.all, id: self.remote.beginFetch(for: request))
        }
    }

    private func cancelFetch() { remote.fetch.map { flags.remote.cancel($0.id) } }

    /// Requests the sources that have not responded, while their cached values are shown. Responses are activated
    /// immediately, unless an update waits for activation or the menu is read-only.
    private func refresh() {
        let state = flags.remote.current
        guard state.sources.contains(where: { !$0.isLocal && !$0.hasResponded && !$0.isRequested }) else { return }
        let isActivating = !state.hasUpdate && !settings.isReadOnly()
        let id = remote.fetch?.id ?? remote.beginFetch(for: RemoteValuesStatus.startupFetch)
        flags.remote.request(.withoutResponse, isActivating: isActivating, id: id)
    }

    private func activate(_ request: RequestID) {
        sources.async {
            self.flags.remote.activate(isByMenu: true)
            self.post(self.remote.activated(self.flags.remoteReading, for: request))
            self.flags.remote.save()
        }
    }

    private func changeContext(_ request: RequestID, _ change: ContextChange) {
        write(on: sources) {
            do throws(FlagStore.ContextChangeError) {
                let commit = try self.flags.changeContext(change)
                // Not the table of the commit: the queue of saves may have written a newer one.
                let contents = self.flags.contents
                contents.overrideFile.map { self.post($0, at: contents.revision) }
                return .remote(
                    .context(
                        self.remote.contextChanged(self.flags.remoteReading, notice: commit.notice, for: request)))
            } catch {
                let reason =
                    switch error {
                    case .source(let error): "\(error.asSentence) Nothing was changed."
                    case .storage(let error): error.description
                    }
                return .remote(.context(.refused(id: request, reason: reason)))
            }
        }
        sources.async { self.refresh() }
    }

    /// Follows which apps run, and what they use.
    private func watchApps() {
        guard !settings.presenceFolders.isEmpty else { return }
        let follower = AppsFollower(RunningApps(in: settings.presenceFolders)) { [weak self] in self?.post($0) }
        follower.start()
        atEnd { follower.stop() }
    }

    /// Lists the flags that code declares: of the app of this menu, or of the apps that announce themselves.
    private func listDeclared(_ reading: RunningApps.Reading? = nil) {
        guard settings.isOpeningStore else { return flags.listDeclared(.ofThisProcess()) }
        flags.listDeclared((reading ?? RunningApps(in: settings.presenceFolders).read()).declared)
    }

    private func post(_ reading: RunningApps.Reading) {
        listDeclared(reading)
        mailbox.post(
            .apps(
                AppsStatus(
                    running: reading.apps, overrideFolder: FilePath.folder(of: store.path),
                    readAt: WallClock.milliseconds)))
    }

    private func post(_ change: StoreChange) {
        switch change.cause {
        case .sources(let update):
            remote.reports(of: update, change.new.remote).forEach(post)
            if case .contextChanged(isRequested: false) = update.cause { sources.async { self.refresh() } }
        case .pushed: remote.pushed(change.new.remote).forEach(post)
        case .declared: if state.withLock({ $0.hasOpened }) { remote.declared(change.new.remote).map(post) }
        case .team: post(change.new.team)
        case .overrideFile: if let file = change.new.overrideFile { post(file, at: change.new.revision) }
        // The menu reports its own changes when they are saved.
        case .written, .watch, .access: break
        }
    }

    private func post(_ report: RemoteReport) { post(.remote(report)) }

    private func post(_ event: Event) {
        mailbox.post(event)
        if case .remote(.activated(let content, _)) = event { index(content.snapshot) }
        if case .remote(.context(.changed(_, let content, _))) = event { index(content.snapshot) }
    }

    /// Builds the search index before the user filters, but after the frame with the flags has been drawn.
    private func index(_ snapshot: RemoteSnapshot) {
        sources.asyncAfter(deadline: .now() + Self.firstFrame) {
            self.mailbox.post(.remote(.indexed(SearchIndex(snapshot))))
        }
    }
}

// The overrides that a team shares.
extension EffectRunner {
    private func post(_ reading: TeamReading) {
        mailbox.post(
            .team(
                .read(reading.overrides, at: reading.fetchedAt, error: reading.error.map { "Team: \($0.asSentence)" })))
    }

    /// Changes the team's values. A signal that ends the menu waits for the response.
    private func changeTeam(_ id: RequestID, _ request: TeamRequest) {
        guard let team = flags.team else { return }
        PendingWork.begin()
        Task(executorPreference: OwnThreads.engine) { [flags] in
            let event: TeamEvent
            do throws(SourceError) {
                let commit = try await team.apply(request, by: ProcessEnvironment.userName)
                // No values from before the change are shown after it.
                _ = await flags.teamEngine?.fetch(.all, isActivating: true)
                event = .changed(id: id, commit.changes)
            } catch {
                event = .changeFailed(id: id, reason: "Team: \(error.asSentence)")
            }
            // Ends before the event is posted: the main loop handles no events while it waits for pending work.
            PendingWork.end()
            self.mailbox.post(.team(event))
        }
    }
}

// Overrides and preferences.
extension EffectRunner {
    private func post(_ reading: StoreReading, at revision: Int) {
        state.withLock { state in
            if revision > state.savedRevision { mailbox.post(.store(.read(reading.table, error: reading.issue))) }
        }
    }

    /// Runs an operation on a queue, by default that of saves, and posts the event that it returns. A signal that ends
    /// the menu waits for the operation, so that no change on the screen is lost.
    private func write(on queue: DispatchQueue? = nil, _ operation: @escaping @Sendable () -> Event) {
        PendingWork.begin()
        (queue ?? work).async {
            let event = operation()
            // Ends before the event is posted: the main loop handles no events while it waits for pending work.
            PendingWork.end()
            self.post(event)
        }
    }

    private func save(_ id: Int, _ edits: [OverrideEdit], _ label: String) -> StoreEvent {
        do throws(StorageError) {
            let commit = try changeStore { () throws(StorageError) in try store.apply(edits, label: label) }
            return .saved(id: id, commit.table, notice: commit.notice)
        } catch {
            flags.readOverrides()
            let canRetry = ![.newerFormat, .refused].contains(error.code)
            return .saveFailed(id: id, reason: error.description, canRetry: canRetry)
        }
    }

    /// Makes a change, and uses it at once.
    private func changeStore(_ change: () throws(StorageError) -> StoreCommit) throws(StorageError) -> StoreCommit {
        try flags.whileChanging { () throws(StorageError) in
            let commit = try change()
            if let revision = flags.receive(commit) { state.withLock { $0.savedRevision = revision } }
            return commit
        }
    }

    private func moveHistory(_ id: RequestID, _ move: HistoryMove) -> StoreEvent {
        do throws(StorageError) {
            let commit = try changeStore { () throws(StorageError) in
                switch move {
                case .undo: try store.undo()
                case .undoTo(let revision): try store.undo(to: revision)
                case .redo: try store.redo()
                }
            }
            return .moved(
                id: id, commit.table, changes: commit.changes, contextChanges: commit.contextChanges,
                notice: commit.notice)
        } catch {
            // Of several undos, some may be on disk.
            flags.readOverrides()
            let isAtEnd = error.code == .nothingToUndo || error.code == .nothingToRedo
            return .moveRefused(id: id, reason: error.description, isAtEnd: isAtEnd)
        }
    }

    /// Uses a state of a search by hand, or ends the search. Another program may have done so meanwhile.
    private func bisect(_ id: RequestID?, _ request: BisectRequest) -> StoreEvent {
        var notice: String?
        do throws(StorageError) {
            let isRunning = try LiveSession.searchByHand(in: store) != nil
            func session() throws(StorageError) -> LiveSession {
                try LiveSession(store, of: "bisect", isByHand: true)
            }
            switch request {
            case .read where isRunning:
                _ = try session()
                flags.readOverrides()
            case .use(let table, let log) where isRunning != (log == RunningBisect.emptyLog):
                _ = try changeStore { () throws(StorageError) in
                    try session().replace(with: table, log: .raw(log))
                }
            case .stop where isRunning:
                let commit = try changeStore { () throws(StorageError) in
                    let commit = try session().restore()
                    return if let commit { commit } else { try store.apply([]) }
                }
                notice = commit.notice
            case .read, .use, .stop: break
            }
        } catch {
            notice = error.description
        }
        let running = (try? LiveSession.searchByHand(in: store)).map {
            RunningBisect(original: $0.original, log: $0.log, revision: $0.revision)
        }
        return .bisected(id: id, store.read().table, running, notice: notice)
    }

    /// The maximum number of history entries to show.
    private static let historyLimit = 500

    private func history(for id: RequestID) -> StoreEvent {
        do throws(StorageError) {
            return .historyRead(id: id, try store.history(limit: Self.historyLimit).map(\.entry))
        } catch {
            return .historyRead(id: id, [], error: error.description)
        }
    }

    /// Posts the port's response about opening a target, after all earlier saves. The response is computed
    /// concurrently: a service that does not respond must not block another choice.
    private func respond(_ id: RequestID, _ response: @escaping @Sendable () -> OpenEvent) {
        work.async { DispatchQueue.global().async { self.mailbox.post(.open(id: id, response())) } }
    }

    private func watchPreferences() {
        guard let preferences = settings.preferences else { return }
        do {
            let watch = try DirectoryWatch(preferences.path) {
                self.work.async { preferences.readAgain().map { self.mailbox.post(.settings($0)) } }
            }
            atEnd { watch.cancel() }
        } catch {
            mailbox.post(.settings(.preferencesNotWatched(reason: "\(error)")))
        }
        // Reads changes made between the start and the watch.
        preferences.readAgain().map { mailbox.post(.settings($0)) }
    }
}
