import Dispatch
import FlagModel
import FlagStorage
import Synchronization

/// Announces that this process runs an app, and which values it uses; see ``FlagModel/RunningApp``.
///
/// Announcements are written on a queue of their own, without waiting for the disk.
final class PresenceAnnouncer: Sendable {
    /// The values of the store at one moment, and what has happened since the last announcement.
    struct Contents: Sendable {
        let values: LayerValues
        /// The revision of the overrides in the values; `nil` without an override file.
        let revision: Int?
        let updates: FlagReads.Updates
    }

    /// When the next announcement may be written. A few in a row are written almost at once.
    private struct Schedule {
        var isScheduled = false
        /// How many announcements may be written at once.
        private var allowance = Double(PresenceAnnouncer.burst)
        private var updatedAt = ContinuousClock.now
        /// The mean time between announcements, if there are many.
        private var interval = PresenceAnnouncer.shortestInterval
        /// How many announcements in a row had to wait.
        private var delayedCount = 0

        /// The time to wait for the next announcement.
        mutating func wait() -> Duration {
            refill()
            guard allowance < 1 else {
                delayedCount = 0
                return PresenceAnnouncer.gatheringTime
            }
            delayedCount += 1
            return interval * (1 - allowance)
        }

        mutating func noteStart() {
            refill()
            (isScheduled, allowance) = (false, allowance - 1)
        }

        /// - Parameter cost: the processor time of the announcement, which is longer in an app of many flags.
        mutating func noteEnd(cost: Duration) {
            refill()
            // Nobody follows an app that changes all the time, so its announcements become rare.
            let rarity = min(PresenceAnnouncer.greatestRarity, 1 + Double(delayedCount) / 8)
            interval = max(PresenceAnnouncer.shortestInterval, cost / PresenceAnnouncer.share) * rarity
        }

        private mutating func refill() {
            let now = ContinuousClock.now
            let elapsed = (now - updatedAt) / interval
            (allowance, updatedAt) = (min(Double(PresenceAnnouncer.burst), allowance + elapsed), now)
        }
    }

    /// What was announced, so that only changed flags are encoded again.
    fileprivate struct Announced {
        var uses: FlagTable<FlagUse> = [:]
        /// The encoded flags, sorted by key.
        var lines: [String] = []
        /// The index of each flag in ``lines``.
        var places: FlagTable<Int> = [:]
        /// How many keys were declared when the declarations were last kept.
        var keptCount = 0
    }

    /// What could not be written.
    enum Failure: Sendable {
        case announcement(StorageError)
        /// The declarations that stay known after the process has ended.
        case declarations(StorageError)
    }

    /// When to write again what could not be written.
    private struct Retry {
        var delay = Duration.seconds(1)
        var isScheduled = false

        mutating func next() -> Duration? {
            guard !isScheduled else { return nil }
            defer { (delay, isScheduled) = (min(delay * 2, .seconds(60)), true) }
            return delay
        }
    }

    /// The mean time between announcements, if there are many and each is cheap.
    private static let shortestInterval = Duration.milliseconds(20)
    /// The part of a core that many announcements may cost.
    private static let share = 0.005
    /// How many times longer the time between announcements becomes if they are delayed for a long time.
    private static let greatestRarity = 4.0
    /// How long an announcement waits at least: a change and its first read often follow each other, and one
    /// announcement for both costs half as much.
    private static let gatheringTime = Duration.milliseconds(1)
    /// How many announcements may follow each other without a wait, after a pause.
    private static let burst = 5

    /// The same announcement in each folder.
    private let files: [PresenceFile]
    /// Where the declarations stay known after the process has ended.
    private let kept: KeptDeclarations
    /// The age at which kept declarations are written again, so that menus know when the app was last seen.
    private let keepInterval: Duration
    private let app: RunningApp
    private let hasSources: Bool
    /// Returns the current contents, and forgets the changes in them; `nil` if the store has ended.
    private let takeContents: @Sendable () -> Contents?
    private let onFailure: @Sendable (Failure) -> Void
    private let queue = DispatchQueue(label: "flags.presence", qos: .utility)
    private let schedule = Mutex(Schedule())
    private let announced = Mutex(Announced())
    private let retry = Mutex(Retry())
    private let hasFailed = Atomic(false)

    /// - Parameters:
    ///   - folders: the folders in which menus look, at least one; the last one also has the declarations.
    ///   - overrideFolder: the folder of the overrides in use; `nil` if none are used.
    ///   - ignoredOverrides: how many overrides are ignored; `nil` if they are used.
    ///   - activatesAtLaunch: whether fetched values become active only at the next start.
    ///   - hasSources: whether the app reads sources or a team.
    ///   - takeContents: returns the contents to announce.
    ///   - onFailure: called with what cannot be written for the first time.
    init(
        in folders: [String], overrideFolder: String?, ignoredOverrides: Int? = nil, activatesAtLaunch: Bool = false,
        hasSources: Bool = false, keepInterval: Duration = .seconds(60),
        takeContents: @escaping @Sendable () -> Contents?,
        onFailure: @escaping @Sendable (Failure) -> Void
    ) {
        let file = PresenceFile(in: folders[0])
        files = [file] + folders.dropFirst().map { PresenceFile(in: $0, id: file.id) }
        kept = KeptDeclarations(in: folders[folders.count - 1])
        app = RunningApp(
            id: file.id, name: ProcessEnvironment.programName, process: ProcessEnvironment.processNumber,
            startedAt: WallClock.milliseconds, ignoredOverrides: ignoredOverrides, overrideFolder: overrideFolder,
            activatesAtLaunch: activatesAtLaunch, flags: [])
        (self.keepInterval, self.hasSources) = (keepInterval, hasSources)
        self.takeContents = takeContents
        self.onFailure = onFailure
        // The first announcement does not wait until the files of ended processes are removed.
        run(after: .seconds(1)) { _ in for folder in folders { RunningApps(in: folder).removeLeftovers() } }
        keepAfterInterval()
    }

    /// Announces changes soon.
    func announce() {
        let wait: Duration? = schedule.withLock { schedule in
            guard !schedule.isScheduled else { return nil }
            schedule.isScheduled = true
            return schedule.wait()
        }
        guard let wait else { return }
        run(after: wait) { $0.write() }
    }

    /// Removes the announcement.
    func end() { for file in files { file.end() } }

    private func run(after wait: Duration, _ action: @escaping @Sendable (PresenceAnnouncer) -> Void) {
        let (seconds, attoseconds) = wait.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            if let self { action(self) }
        }
    }

    private func write() {
        schedule.withLock { $0.noteStart() }
        let start = ThreadTime.now
        defer { schedule.withLock { $0.noteEnd(cost: ThreadTime.now - start) } }
        guard let contents = takeContents() else { return }
        let text = announced.withLock { announced -> AnnouncementText<[String]> in
            var app = app
            if app.ignoredOverrides == nil {
                announced.update(contents, startedAt: app.startedAt)
                app.revision = contents.revision
            }
            return app.text(flags: announced.lines)
        }
        var failures: [Failure] = []
        for file in files {
            do throws(StorageError) { try file.write(text) } catch { failures.append(.announcement(error)) }
        }
        do throws(StorageError) { try keepDeclarations() } catch { failures.append(.declarations(error)) }
        if failures.isEmpty { retry.withLock { $0 = Retry(isScheduled: $0.isScheduled) } } else { note(failures) }
    }

    /// Reports what cannot be written for the first time, and writes it again later: the old announcement says what the
    /// app no longer does.
    private func note(_ failures: [Failure]) {
        if !hasFailed.exchange(true, ordering: .relaxed) { failures.forEach(onFailure) }
        guard let delay = retry.withLock({ $0.next() }) else { return }
        run(after: delay) { announcer in
            announcer.retry.withLock { $0.isScheduled = false }
            announcer.announce()
        }
    }
}

extension PresenceAnnouncer {
    /// Writes the declarations to the file that stays after the process has ended: at the start, after a new
    /// declaration, and after a while.
    private func keepDeclarations(isDue: Bool = false) throws(StorageError) {
        guard app.ignoredOverrides == nil else { return }
        let count = FlagRegistry.declarations.count
        guard count > 0, isDue || announced.withLock({ $0.keptCount }) != count else { return }
        try kept.write(.ofThisProcess(hasSources: hasSources), at: FlagTimestamp(milliseconds: WallClock.milliseconds))
        announced.withLock { $0.keptCount = count }
    }

    /// Keeps the declarations again and again, also while nothing changes, because nobody knows when the process ends.
    private func keepAfterInterval() {
        guard app.ignoredOverrides == nil else { return }
        run(after: keepInterval) { announcer in
            do throws(StorageError) {
                try announcer.keepDeclarations(isDue: true)
            } catch {
                announcer.note([.declarations(error)])
            }
            // The folder may have been removed.
            if !announcer.files.allSatisfy(\.isPresent) { announcer.announce() }
            announcer.keepAfterInterval()
        }
    }
}

extension PresenceAnnouncer.Announced {
    /// Updates the flags that are new, have changed, or were read.
    fileprivate mutating func update(_ contents: PresenceAnnouncer.Contents, startedAt: Int64) {
        let declarations = FlagRegistry.declarations
        let isNew = lines.count != declarations.count
        if isNew {
            lines = Array(repeating: "", count: declarations.count)
            places = FlagTable(declarations.enumerated().map { ($1.name, $0) }) { first, _ in first }
        }
        // A key that no code declares has no place.
        let changed =
            isNew || contents.updates.allChangedAt != nil
            ? Array(declarations.indices) : contents.updates.flags.keys.compactMap { places[$0] }
        for place in changed { encode(declarations[place], at: place, contents, startedAt: startedAt) }
    }

    /// Encodes a flag, if it has changed or was not encoded before.
    private mutating func encode(
        _ declaration: any AnyFlagDeclaration, at place: Int, _ contents: PresenceAnnouncer.Contents, startedAt: Int64
    ) {
        let use = use(of: declaration, contents, startedAt: startedAt)
        guard uses[declaration.name] != use || lines[place].isEmpty else { return }
        uses[declaration.name] = use
        lines[place] = declaration.declared(using: use).json.text(indented: false)
    }

    private func use(
        of declaration: any AnyFlagDeclaration, _ contents: PresenceAnnouncer.Contents, startedAt: Int64
    ) -> FlagUse {
        let (old, update) = (uses[declaration.name], contents.updates.flags[declaration.name])
        let changedAt = update?.changedAt ?? contents.updates.allChangedAt
        if let old, changedAt == nil { return old.read(update) }
        let outcome = declaration.outcome(in: contents.values)
        let content = outcome.content
        let layers: [FlagLayer] = [.team, .remote]
        let remoteValue = layers.lazy.compactMap { contents.values.text(of: declaration.name, in: $0) }.first
        let isSame = old?.content == content
        // A tester first wants to know about an override, even if a launch value is not valid either.
        let rejected = outcome.refused.first { $0.layer == .override } ?? outcome.refused.first
        let use = FlagUse(
            value: content.text, layer: content.layer, remoteValue: remoteValue,
            since: isSame ? old?.since ?? startedAt : changedAt ?? startedAt,
            readAt: isSame ? old?.readAt : nil, wasRead: old?.wasRead == true, firstValue: old?.firstValue,
            rejection: rejected?.rejection, rejectedValue: rejected?.text)
        return use.read(update)
    }
}

extension FlagUse {
    fileprivate var content: ReadValue { ReadValue(text: value, layer: layer) }

    /// The use after the reads since the last announcement. If the code has read another value after this one, it has to
    /// read this one again.
    fileprivate func read(_ update: FlagReads.Update?) -> FlagUse {
        guard let update, let read = update.lastRead else { return self }
        let isRead = update.isCurrentRead || read.value == content
        return FlagUse(
            value: value, layer: layer, remoteValue: remoteValue, since: since,
            readAt: isRead ? max(read.at, since) : nil, wasRead: true,
            firstValue: wasRead ? firstValue : update.firstRead?.value.text, rejection: rejection,
            rejectedValue: rejectedValue)
    }
}
