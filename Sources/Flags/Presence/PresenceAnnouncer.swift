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
        let updates: FlagReads.Updates
    }

    /// When the next announcement may be written. A few in a row are written at once: a change and its first read often
    /// follow each other within a millisecond.
    private struct Schedule {
        var isScheduled = false
        /// How many announcements may be written at once.
        private var allowance = Double(PresenceAnnouncer.burst)
        private var updatedAt = ContinuousClock.now
        /// The mean time between announcements, if there are many.
        private var interval = PresenceAnnouncer.shortestInterval

        /// The time to wait for the next announcement.
        mutating func wait() -> Duration {
            refill()
            return allowance >= 1 ? .zero : interval * (1 - allowance)
        }

        mutating func noteStart() {
            refill()
            (isScheduled, allowance) = (false, allowance - 1)
        }

        /// - Parameter cost: the processor time of the announcement, which is longer in an app of many flags.
        mutating func noteEnd(cost: Duration) {
            refill()
            interval = max(PresenceAnnouncer.shortestInterval, cost / PresenceAnnouncer.share)
        }

        private mutating func refill() {
            let now = ContinuousClock.now
            let elapsed = (now - updatedAt) / interval
            (allowance, updatedAt) = (min(Double(PresenceAnnouncer.burst), allowance + elapsed), now)
        }
    }

    /// What was announced, so that only changed flags are encoded again.
    fileprivate struct Announced {
        var uses: [String: FlagUse] = [:]
        /// The encoded flags, sorted by key.
        var lines: [String] = []
        /// The index of each flag in ``lines``.
        var places: [String: Int] = [:]
        /// How many keys were declared when the declarations were last kept, and when that was.
        var kept: (count: Int, at: ContinuousClock.Instant)?
    }

    /// The mean time between announcements, if there are many and each is cheap.
    private static let shortestInterval = Duration.milliseconds(20)
    /// The part of a core that many announcements may cost.
    private static let share = 0.005
    /// How many announcements may follow each other without a wait, after a pause.
    private static let burst = 5
    /// The age at which kept declarations are written again, so that menus know when the app was last seen.
    private static let keepInterval = Duration.seconds(60)

    private let file: PresenceFile
    /// Where the declarations stay known after the process has ended.
    private let kept: KeptDeclarations
    private let app: RunningApp
    /// Returns the current contents, and forgets the changes in them; `nil` if the store has ended.
    private let takeContents: @Sendable () -> Contents?
    private let onFailure: @Sendable (StorageError) -> Void
    private let queue = DispatchQueue(label: "flags.presence", qos: .utility)
    private let schedule = Mutex(Schedule())
    private let announced = Mutex(Announced())
    private let hasFailed = Atomic(false)

    /// - Parameters:
    ///   - folder: the app's state folder.
    ///   - overrideFolder: the folder of the overrides in use; `nil` if none are used.
    ///   - ignoredOverrides: how many overrides are ignored; `nil` if they are used.
    ///   - takeContents: returns the contents to announce.
    ///   - onFailure: called if an announcement cannot be written for the first time.
    init(
        in folder: String, overrideFolder: String?, ignoredOverrides: Int? = nil,
        takeContents: @escaping @Sendable () -> Contents?, onFailure: @escaping @Sendable (StorageError) -> Void
    ) {
        file = PresenceFile(in: folder)
        kept = KeptDeclarations(in: folder)
        app = RunningApp(
            id: file.id, name: ProcessEnvironment.programName, process: ProcessEnvironment.processNumber,
            startedAt: WallClock.milliseconds, ignoredOverrides: ignoredOverrides, overrideFolder: overrideFolder,
            flags: [])
        self.takeContents = takeContents
        self.onFailure = onFailure
        // Removes what ended processes have left.
        queue.async { _ = RunningApps(in: folder).read() }
    }

    /// Announces changes soon.
    func announce() {
        let wait: Duration? = schedule.withLock { schedule in
            guard !schedule.isScheduled else { return nil }
            schedule.isScheduled = true
            return schedule.wait()
        }
        guard let wait else { return }
        let (seconds, attoseconds) = wait.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in self?.write() }
    }

    /// Removes the announcement.
    func end() { file.end() }

    private func write() {
        schedule.withLock { $0.noteStart() }
        let start = ThreadTime.now
        defer { schedule.withLock { $0.noteEnd(cost: ThreadTime.now - start) } }
        guard let contents = takeContents() else { return }
        let text = announced.withLock { announced -> String in
            if app.ignoredOverrides == nil { announced.update(contents, startedAt: app.startedAt) }
            return app.text(flags: announced.lines)
        }
        do throws(StorageError) {
            try file.write(text)
            try keepDeclarations()
        } catch {
            if !hasFailed.exchange(true, ordering: .relaxed) { onFailure(error) }
        }
    }
}

extension PresenceAnnouncer {
    /// Writes the declarations to the file that stays after the process has ended: at the start, after a new
    /// declaration, and after a while.
    private func keepDeclarations() throws(StorageError) {
        guard app.ignoredOverrides == nil else { return }
        let count = FlagRegistry.declarations.count
        let now = ContinuousClock.now
        let isDue = announced.withLock { announced in
            if let kept = announced.kept, kept.count == count, now - kept.at < Self.keepInterval { return false }
            announced.kept = (count, now)
            return true
        }
        guard isDue, let program = DeclaredFlags.ofThisProcess().programs.first else { return }
        try kept.write(program, at: Timestamp(milliseconds: WallClock.milliseconds))
    }
}

extension PresenceAnnouncer.Announced {
    /// Updates the flags that are new, have changed, or were read.
    fileprivate mutating func update(_ contents: PresenceAnnouncer.Contents, startedAt: Int64) {
        let declarations = FlagRegistry.declarations
        let isNew = lines.count != declarations.count
        if isNew {
            lines = Array(repeating: "", count: declarations.count)
            places = Dictionary(uniqueKeysWithValues: declarations.enumerated().map { ($1.name, $0) })
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
        let wasRead = old?.wasRead == true || update?.isRead == true
        let changedAt = update?.changedAt ?? contents.updates.allChangedAt
        if let old, changedAt == nil {
            let readAt = update?.readAt ?? old.readAt
            return FlagUse(
                value: old.value, layer: old.layer, since: old.since, readAt: readAt, wasRead: wasRead,
                firstValue: Self.firstValue(old, value: old.value, isRead: readAt != nil), rejection: old.rejection,
                rejectedValue: old.rejectedValue)
        }
        let outcome = declaration.outcome(in: contents.values)
        let layer = outcome.layer ?? .default
        let rejected = outcome.refused.first
        let isSame = old.map { $0.value == outcome.text && $0.layer == layer } ?? false
        let readAt = update?.readAt ?? (isSame ? old?.readAt : nil)
        return FlagUse(
            value: outcome.text, layer: layer, since: isSame ? old?.since ?? startedAt : changedAt ?? startedAt,
            readAt: readAt, wasRead: wasRead,
            firstValue: Self.firstValue(old, value: outcome.text, isRead: readAt != nil),
            rejection: rejected?.rejection, rejectedValue: rejected?.text)
    }

    /// The value that the code read first. If it changed between the first read and the announcement, it is not known.
    private static func firstValue(_ old: FlagUse?, value: String?, isRead: Bool) -> String? {
        if let old, old.wasRead { return old.firstValue }
        return isRead ? value : nil
    }
}
