import DeveloperMenu
import Dispatch
import FlagModel
import FlagRemote
import FlagStorage
import Flags
import Synchronization
import TerminalShell

/// Carries out effects on a store and posts what comes of them as events.
///
/// Overrides are written on one queue, in the order in which that was asked for. What comes of fetches, and what happens to the
/// store by itself, arrives by its observers.
final class EffectRunner: Sendable {
    private let flags: FlagStore
    private let store: OverrideStore
    private let settings: MenuSettings
    private let mailbox: Mailbox<Event>
    private let remote: RemoteEvents
    private let transfer: OverrideTransfer
    private let work = DispatchQueue(label: "flagmenu.store")
    private let sources = DispatchQueue(label: "flagmenu.remote")
    private let reports = DispatchQueue(label: "flagmenu.reports")
    private let fetchID: RemoteEngine.FetchID
    private let running = Mutex(Running())

    /// What ends with the menu.
    private struct Running {
        var following: Task<Void, Never>?
        var watches: [DirectoryWatch] = []
        var observers: [@Sendable () -> Void] = []
        var isStopped = false
    }

    init(_ flags: FlagStore, _ store: OverrideStore, _ settings: MenuSettings, mailbox: Mailbox<Event>) {
        (self.flags, self.store, self.settings, self.mailbox) = (flags, store, settings, mailbox)
        fetchID = flags.remote.makeFetchID()
        remote = RemoteEvents(flags: flags, reports: settings.reports, ownFetch: fetchID)
        transfer = OverrideTransfer(flags: flags, store: store, reports: settings.reports)
    }

    /// Until then the first frame is drawn. Two threads that take memory at once hold each other up.
    private static let firstFrame = DispatchTimeInterval.milliseconds(20)

    /// Reads store and sources for the first time, and follows both from then on. None of it is done on the caller's
    /// thread, which has a terminal to take meanwhile.
    func start(at now: Timestamp) {
        let observers = [
            flags.observeOverrides { [weak self] reading in self?.post(reading) },
            flags.observeRemote { [weak self] update in self?.post(update) },
        ]
        running.withLock { $0.observers = observers }
        sources.async {
            self.flags.openRemote()
            let reading = self.flags.remoteReading
            if let event = self.remote.opened(reading, isFetching: self.settings.startFetch != .nothing) {
                self.show(event)
            }
            self.mailbox.post(self.remote.standing(reading.sources))
            if self.settings.startFetch != .nothing { self.refresh() }
        }
        work.async { self.flags.readOverrides() }
        // Behind the first frame, as each of these starts a thread. What has changed in between is read then.
        work.asyncAfter(deadline: .now() + Self.firstFrame) {
            if self.settings.isOpeningStore { self.flags.follow() }
            self.flags.watchError.map { self.mailbox.post(.storeNotFollowed(reason: $0)) }
            self.followPreferences()
            self.settings.editing?.sweep(at: now)
        }
        sources.asyncAfter(deadline: .now() + Self.firstFrame) {
            self.flags.remote.save()
            if self.settings.isOpeningStore { self.followRemote() }
        }
    }

    /// Follows nothing any more.
    func stop() {
        let ended = running.withLock { running -> Running in
            defer { running = Running(isStopped: true) }
            return running
        }
        ended.observers.forEach { $0() }
        ended.watches.forEach { $0.cancel() }
        ended.following?.cancel()
        flags.remote.cancel(fetchID)
    }

    func perform(_ effect: Effect, on terminal: TerminalControl) {
        switch effect {
        case .saveOverrides(let id, let edits, let label): write { self.save(id, edits, label) }
        case .undo: write { self.moveHistory { () throws(StorageError) in try self.store.undo() } }
        case .redo: write { self.moveHistory { () throws(StorageError) in try self.store.redo() } }
        case .fetchRemote: fetch()
        case .cancelFetch: sources.async { self.flags.remote.cancel(self.fetchID) }
        case .activateRemote: activate()
        case .changeContext(let change): changeContext(change)
        case .setMouse(let isOn): if !terminal.setMouse(isOn), isOn { mailbox.post(.mouseRefused) }
        case .editOutside(let key, let text, let type):
            terminal.runOutside {
                let edit = OutsideEditor.edit(text, as: type, in: self.settings.editing)
                self.mailbox.post(.editedOutside(key: key, edit))
            }
        case .readReport(let report):
            reports.async { self.mailbox.post(.reportRead(report, lines: self.settings.reports.lines(report))) }
        // Behind the saves that were asked for before.
        case .exportOverrides(let path, let isReplacing): write { self.export(path, isReplacing) }
        case .readImport(let path): reports.async { self.mailbox.post(self.readImport(path)) }
        case .copy(let text, let what): mailbox.post(.copied(text, what: what, terminal.copy(text)))
        case .suspend: terminal.suspend()
        case .repaint: terminal.repaint()
        }
    }
}

// The remote side.
extension EffectRunner {
    /// Fetches in place of the fetch that is under way, if any.
    private func fetch() {
        mailbox.post(.remoteLoadStarted)
        sources.async {
            guard !self.running.withLock({ $0.isStopped }) else { return }
            self.flags.remote.cancel(self.fetchID)
            self.flags.remote.request(.all, id: self.fetchID)
        }
    }

    /// Requests sources that have not responded; what was cached of them is on the screen by now. Like a file at the start, what
    /// they say is in use at once, unless a fetch waits for its activation or nothing may be changed.
    private func refresh() {
        let state = flags.remote.current
        guard state.sources.contains(where: { !$0.isLocal && !$0.hasResponded && !$0.isRequested }) else { return }
        let isActivating = !state.hasUpdate && !settings.isReadOnly()
        flags.remote.request(.unanswered, isActivating: isActivating, id: fetchID)
    }

    private func activate() {
        sources.async {
            self.flags.remote.activate(isByMenu: true)
            self.show(self.remote.activated(self.flags.remoteReading))
            self.flags.remote.save()
        }
    }

    private func changeContext(_ change: ContextChange) {
        PendingWork.begin()
        sources.async {
            let refusal: RemoteEngine.ContextChangeError?
            do throws(RemoteEngine.ContextChangeError) {
                _ = try self.flags.remote.changeContext(change)
                refusal = nil
            } catch {
                refusal = error
            }
            // First, as the loop may be waiting for it and then takes no mail.
            PendingWork.end()
            if let refusal { return self.mailbox.post(.contextRefused(reason: refusal.sentence)) }
            self.refresh()
        }
    }

    private func followRemote() {
        let task = Task(executorPreference: OwnThreads.engine) { [flags] in await flags.followRemote() }
        running.withLock { $0.isStopped ? task.cancel() : ($0.following = task) }
    }

    private func post(_ update: RemoteUpdate) {
        remote.events(for: update).forEach(show)
        if case .contextChanged(isElsewhere: true, _) = update.cause { sources.async { self.refresh() } }
    }

    private func show(_ event: Event) {
        mailbox.post(event)
        switch event {
        case .remoteActivated(let news), .remoteActivatedElsewhere(let news), .remoteRefreshed(let news),
            .remoteArrived(let news), .contextChanged(let news, _):
            index(news.snapshot)
        default: break
        }
    }

    /// Lays the flags out for searching while nobody has typed yet, so that the first letter of a filter is as fast as the second;
    /// not before the frame with the flags is drawn.
    private func index(_ snapshot: RemoteSnapshot) {
        sources.asyncAfter(deadline: .now() + Self.firstFrame) {
            self.mailbox.post(.flagsIndexed(SearchIndex(snapshot)))
        }
    }
}

// Overrides and preferences.
extension EffectRunner {
    private func post(_ reading: StoreReading) {
        mailbox.post(.overridesRead(reading.table, problem: reading.problem))
    }

    /// Changes what is on the disk. A signal that ends the menu waits for it, so that nothing is lost that the menu shows as made.
    private func write(_ write: @escaping @Sendable () -> Event) {
        PendingWork.begin()
        work.async {
            let event = write()
            // First, as the loop may be waiting for it and then takes no mail.
            PendingWork.end()
            self.mailbox.post(event)
        }
    }

    private func save(_ id: Int, _ edits: [OverrideEdit], _ label: String) -> Event {
        do throws(StorageError) {
            let commit = try store.apply(edits, label: label)
            flags.take(commit)
            return .overridesSaved(id: id, commit.table, notice: commit.notice)
        } catch {
            return .saveFailed(
                id: id, reason: error.description, canRetry: ![.newerFormat, .refused].contains(error.code))
        }
    }

    private func moveHistory(_ move: () throws(StorageError) -> StoreCommit) -> Event {
        do throws(StorageError) {
            let commit = try move()
            flags.take(commit)
            return .historyMoved(commit.table, changes: commit.changes, notice: commit.notice)
        } catch {
            return .historyRefused(
                reason: error.description, isAtEnd: error.code == .nothingToUndo || error.code == .nothingToRedo)
        }
    }

    private func export(_ path: String, _ isReplacing: Bool) -> Event {
        do throws(StorageError) {
            switch try transfer.export(to: path, isReplacing: isReplacing) {
            case .written(let path, let summary): return .exported(path: path, summary: summary)
            case .fileExists: return .fileExists(path: path)
            }
        } catch {
            return .fileRefused(reason: error.description)
        }
    }

    private func readImport(_ path: String) -> Event {
        do throws(ImportRefusal) {
            let (path, values) = try transfer.values(in: path)
            return .importRead(path: path, values: values)
        } catch {
            return .fileRefused(reason: error.sentence)
        }
    }

    private func followPreferences() {
        guard let preferences = settings.preferences else { return }
        do {
            let watch = try DirectoryWatch(preferences.path) {
                self.work.async { preferences.readAgain().map { self.mailbox.post($0.event) } }
            }
            running.withLock { $0.isStopped ? watch.cancel() : $0.watches.append(watch) }
        } catch {
            mailbox.post(.preferencesNotFollowed(reason: "\(error)"))
        }
        // What was changed since the start, before anybody looked.
        preferences.readAgain().map { mailbox.post($0.event) }
    }
}

extension RemoteEngine.ContextChangeError {
    fileprivate var sentence: String {
        switch self {
        case .source(let error): "\(error.asSentence) Nothing was changed."
        case .storage(let error): error.description
        }
    }
}
