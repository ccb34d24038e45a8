import DeveloperMenu
import Dispatch
import FlagModel
import FlagStorage
import Synchronization
import TerminalShell

/// Carries out effects and answers with events. The disk and the sources have a queue each, and effects of each are done in
/// the order in which they were asked for. What may take its time, as asking a service does, is done beside them, so that
/// nothing ever waits for it; only its answer is taken in in turn.
final class EffectRunner: Sendable {
    private let store: OverrideStore
    private let remote: RemotePort
    private let commands: CommandPort
    private let mailbox: Mailbox<Event>
    private let preferences: PreferencesPort?
    private let editing: EditingFolder?
    /// Called when the store has been changed, before anybody is told.
    private let onStoreChange: @Sendable () -> Void
    private let watches = Mutex<[DirectoryWatch]>([])
    private let remoteFollowing = Mutex(RemoteFollowing())
    /// What the menu was told last of the values that hold.
    private let toldNews = Mutex<RemoteNews?>(nil)
    private let fetching = Mutex(Fetching())
    private let serviceFollowing = Mutex(RemoteFollowing())
    private let disk = DispatchQueue(label: "flagmenu.disk")
    private let sources = DispatchQueue(label: "flagmenu.sources")
    private let reports = DispatchQueue(label: "flagmenu.reports")

    init(
        store: OverrideStore, remote: RemotePort, commands: CommandPort, mailbox: Mailbox<Event>,
        preferences: PreferencesPort? = nil, editing: EditingFolder? = nil,
        onStoreChange: @escaping @Sendable () -> Void = {}
    ) {
        self.onStoreChange = onStoreChange
        self.editing = editing
        self.preferences = preferences
        self.store = store
        self.remote = remote
        self.commands = commands
        self.mailbox = mailbox
    }

    /// Until then the first frame is drawn. Two threads that take memory at once hold each other up.
    private static let firstFrame = DispatchTimeInterval.milliseconds(20)

    /// Reads store and sources for the first time, and follows the store from then on. None of it is done on the
    /// caller's thread, which has a terminal to take meanwhile.
    func start(at now: Timestamp) {
        inTurn(remote.open)
        refresh()
        disk.async { self.mailbox.post(self.readStore()) }
        // Behind the first frame, as each of these starts a thread. What has changed in between is read then.
        sources.asyncAfter(deadline: .now() + Self.firstFrame) {
            self.followRemote()
            self.openAgain()
        }
        disk.asyncAfter(deadline: .now() + Self.firstFrame) {
            self.followStore()
            self.mailbox.post(self.readStore())
            self.followPreferences()
            self.editing?.sweep(at: now)
        }
    }

    /// Asks what lies behind a network, once what it said last is on the screen, and follows it from then on.
    private func refresh() {
        sources.async {
            guard let refresh = self.remote.refresh else { return self.followServices() }
            self.begin(refresh, then: self.followServices)
        }
    }

    @Sendable private func followServices() {
        guard let follow = remote.followServices else { return }
        let end = follow(
            RemotePort.Following(
                inTurn: { self.sources.async(execute: $0) }, post: show, refresh: { self.askAgain() }))
        serviceFollowing.withLock { $0.begin(end) }
    }

    /// Asks what may take its time, in place of what is being asked.
    ///
    /// - Parameters:
    ///   - isFetch: whether somebody has asked for it, and for all sources.
    ///   - then: done in turn, once, as soon as anything has been answered: who is slow holds up nobody else.
    private func begin(
        _ asking: @escaping RemotePort.Asking, isFetch: Bool = false, then: @escaping @Sendable () -> Void = {}
    ) {
        fetching.withLock { fetching in
            let number = fetching.begin(isFetch: isFetch)
            let isWanted: @Sendable () -> Bool = { self.fetching.withLock { $0.number == number } }
            let hasBegun = Mutex(false)
            let takeIn: @Sendable (@escaping RemotePort.Taking) -> Void = { take in
                self.sources.async {
                    if isWanted() { self.ask(take) }
                    let isFirst = hasBegun.withLock { hasBegun in
                        defer { hasBegun = true }
                        return !hasBegun
                    }
                    if isFirst { then() }
                }
            }
            fetching.task = Task {
                let asker = RemotePort.Asker(
                    post: { if isWanted() { self.mailbox.post($0) } }, takeIn: takeIn)
                let take = await asking(asker)
                self.fetching.withLock { $0.end(number) }
                takeIn { take?() }
            }
        }
    }

    /// The asking of sources that is under way, told from those before it.
    private struct Fetching {
        private(set) var number = 0
        var task: Task<Void, Never>?
        /// Whether what is being asked now is a fetch that somebody waits for.
        private(set) var isFetch = false

        /// Ends the one before.
        mutating func begin(isFetch: Bool) -> Int {
            cancel()
            self.isFetch = isFetch
            return number
        }

        /// Notes that the one of that number has its answer.
        mutating func end(_ number: Int) {
            if number == self.number { isFetch = false }
        }

        mutating func cancel() {
            task?.cancel()
            (task, isFetch) = (nil, false)
            number += 1
        }
    }

    /// Follows nothing any more.
    func stop() {
        watches.withLock { watches in
            watches.forEach { $0.cancel() }
            watches = []
        }
        remoteFollowing.withLock { $0.stop() }
        serviceFollowing.withLock { $0.stop() }
        fetching.withLock { $0.cancel() }
    }

    private func followRemote() {
        do {
            let end = try remote.follow { self.openAgain() }
            remoteFollowing.withLock { $0.begin(end) }
        } catch {
            mailbox.post(.remoteNotFollowed(reason: "\(error)"))
        }
    }

    /// Shows what somebody else has activated.
    private func openAgain() {
        inTurn {
            guard case .remoteActivated(let news) = self.remote.open() else { return nil }
            // What the menu itself has activated is told too.
            return self.toldNews.withLock { $0 == news } ? nil : .remoteActivatedElsewhere(news)
        }
    }

    /// The sources are followed from their own queue, possibly later than the menu is left.
    private struct RemoteFollowing {
        private var end: (@Sendable () -> Void)?
        private var isStopped = false

        mutating func begin(_ end: @escaping @Sendable () -> Void) {
            if isStopped { end() } else { self.end = end }
        }

        mutating func stop() {
            isStopped = true
            end?()
            end = nil
        }
    }

    private func followStore() {
        do {
            let watch = try store.watch { self.disk.async { self.mailbox.post(self.readStore()) } }
            watches.withLock { $0.append(watch) }
        } catch {
            mailbox.post(.storeNotFollowed(reason: "\(error)"))
        }
    }

    /// Where they cannot be followed they come with the next start, which is told.
    private func followPreferences() {
        guard let preferences else { return }
        do {
            let watch = try DirectoryWatch(preferences.path) {
                self.disk.async { preferences.readAgain().map(self.mailbox.post) }
            }
            watches.withLock { $0.append(watch) }
        } catch {
            mailbox.post(.preferencesNotFollowed(reason: "\(error)"))
        }
        // What was changed since the start, before anybody looked.
        preferences.readAgain().map(mailbox.post)
    }

    func perform(_ effect: Effect, on terminal: TerminalControl) {
        switch effect {
        case .saveOverrides(let id, let edits, let label):
            change { self.save(id, edits, label) }
        case .undo:
            change { self.moveHistory { () throws(StorageError) in try self.store.undo() } }
        case .redo:
            change { self.moveHistory { () throws(StorageError) in try self.store.redo() } }
        case .fetchRemote: fetch()
        case .cancelFetch: fetching.withLock { $0.cancel() }
        case .activateRemote: inTurn(remote.activate)
        case .changeContext(let change): changeContext(change)
        case .setMouse(let isOn):
            if !terminal.setMouse(isOn), isOn { mailbox.post(.mouseRefused) }
        case .editOutside(let key, let text, let type):
            terminal.runOutside {
                self.mailbox.post(.editedOutside(key: key, OutsideEditor.edit(text, as: type, in: self.editing)))
            }
        case .readReport(let report): reports.async { self.mailbox.post(self.commands.report(report)) }
        case .exportOverrides(let path, let isReplacing):
            // Behind the saves that were asked for before.
            write { self.commands.export(path, isReplacing) }
        case .readImport(let path): reports.async { self.mailbox.post(self.commands.readImport(path)) }
        case .copy(let text, let what): mailbox.post(.copied(text, what: what, terminal.copy(text)))
        case .suspend: terminal.suspend()
        case .repaint: terminal.repaint()
        }
    }

    /// Changes the store.
    private func change(_ change: @escaping @Sendable () -> Event) {
        write {
            defer { self.onStoreChange() }
            return change()
        }
    }

    /// Writes what is asked for. Who ends the menu from outside, as a shutdown does, does not lose what it shows as made.
    private func write(_ write: @escaping @Sendable () -> Event) {
        PendingWork.begin()
        disk.async {
            let answer = write()
            // First, as the loop may be waiting for it and then takes no mail.
            PendingWork.end()
            self.mailbox.post(answer)
        }
    }

    private func fetch() {
        mailbox.post(.remoteLoadStarted)
        begin(remote.fetch, isFetch: true)
    }

    /// Writes, in turn with all else that is done with the sources, and shows what is known. Then asks what is not.
    private func changeContext(_ change: ContextChange) {
        PendingWork.begin()
        sources.async {
            let answer = self.remote.changeContext(change)
            // First, as the loop may be waiting for it and then takes no mail.
            PendingWork.end()
            self.show(answer)
            if case .contextRefused = answer { return }
            self.askAgain()
        }
    }

    /// Asks on behalf of whom sources are evaluated for by now. A fetch that is on its way has asked on behalf of somebody
    /// else, and begins anew.
    private func askAgain() {
        if fetching.withLock({ $0.isFetch }) { return fetch() }
        if let refresh = remote.refresh { begin(refresh) }
    }

    /// Calls the port in turn, shows the answer, and only then stores it.
    private func inTurn(_ question: @escaping @Sendable () -> Event?) {
        sources.async { self.ask(question) }
    }

    private func ask(_ question: () -> Event?) {
        if let answer = question() { show(answer) } else { tellStanding() }
    }

    private func tellStanding() {
        let standing = remote.standing()
        if !standing.isEmpty { mailbox.post(.sourcesRead(standing)) }
    }

    @Sendable private func show(_ answer: Event) {
        // From here on the screen shows it.
        PendingWork.begin()
        defer { PendingWork.end() }
        mailbox.post(answer)
        switch answer {
        case .remoteActivated(let news), .remoteActivatedElsewhere(let news), .remoteRefreshed(let news),
            .remoteArrived(let news), .contextChanged(let news, _):
            toldNews.withLock { $0 = news }
            index(news.snapshot)
        default: break
        }
        tellStanding()
        if let complaint = remote.keep() { mailbox.post(complaint) }
    }

    /// Lays the flags out for searching while nobody has typed yet, so that the first letter of a filter is as fast as the
    /// second. Not before the frame with the flags is drawn: two threads that take memory at once hold each other up, a
    /// tenth of the time until the first frame.
    private func index(_ snapshot: RemoteSnapshot) {
        sources.asyncAfter(deadline: .now() + Self.firstFrame) {
            self.mailbox.post(.flagsIndexed(SearchIndex(snapshot)))
        }
    }

    private func readStore() -> Event {
        let reading = store.read()
        return .overridesRead(reading.table, problem: reading.problem)
    }

    private func save(_ id: Int, _ edits: [OverrideEdit], _ label: String) -> Event {
        do throws(StorageError) {
            let commit = try store.apply(edits, label: label)
            return .overridesSaved(id: id, commit.table, notice: commit.notice)
        } catch {
            return .saveFailed(
                id: id, reason: error.description, canRetry: ![.newerFormat, .refused].contains(error.code))
        }
    }

    private func moveHistory(_ move: () throws(StorageError) -> StoreCommit) -> Event {
        do throws(StorageError) {
            let commit = try move()
            return .historyMoved(commit.table, changes: commit.changes, notice: commit.notice)
        } catch {
            return .historyRefused(
                reason: error.description, isAtEnd: error.code == .nothingToUndo || error.code == .nothingToRedo)
        }
    }
}
