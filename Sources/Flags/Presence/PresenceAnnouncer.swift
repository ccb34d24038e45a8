import Dispatch
import FlagModel
import FlagStorage
import Synchronization

/// Announces that this process runs an app, and which values it uses; see ``FlagModel/RunningApp``.
///
/// Announcements are written on a queue of their own, without waiting for the disk.
final class PresenceAnnouncer: Sendable {
    /// The values and reads of the store at one moment.
    struct Contents: Sendable {
        let values: LayerValues
        let reads: FlagReads
    }

    /// When the next announcement may be written. A few in a row are written at once: a change and its first read often
    /// follow each other within a millisecond.
    private struct Schedule {
        var isScheduled = false
        /// How many announcements may be written at once.
        private var allowance = Double(PresenceAnnouncer.burst)
        private var updatedAt = ContinuousClock.now

        /// The time to wait for the next announcement.
        mutating func wait() -> Duration {
            refill()
            return allowance >= 1 ? .zero : PresenceAnnouncer.interval * (1 - allowance)
        }

        mutating func noteWrite() {
            refill()
            (isScheduled, allowance) = (false, allowance - 1)
        }

        private mutating func refill() {
            let now = ContinuousClock.now
            let elapsed = (now - updatedAt) / PresenceAnnouncer.interval
            (allowance, updatedAt) = (min(Double(PresenceAnnouncer.burst), allowance + elapsed), now)
        }
    }

    /// What was announced, so that only changed flags are encoded again.
    fileprivate struct Announced {
        var uses: [String: FlagUse] = [:]
        /// The encoded flags, by key.
        var lines: [String: String] = [:]
        var keys: [String] = []
        /// How many keys were declared when the declarations were last kept, and when that was.
        var kept: (count: Int, at: ContinuousClock.Instant)?
    }

    /// The mean time between announcements, if there are many.
    private static let interval = Duration.milliseconds(20)
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
        schedule.withLock { $0.noteWrite() }
        guard let contents = takeContents() else { return }
        let text = announced.withLock { announced -> String in
            if app.ignoredOverrides == nil { announced.update(contents, startedAt: app.startedAt) }
            return app.text(flags: announced.keys.compactMap { announced.lines[$0] })
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
        let declarations = FlagRegistry.declarations
        let now = ContinuousClock.now
        let isDue = announced.withLock { announced in
            if let kept = announced.kept, kept.count == declarations.count, now - kept.at < Self.keepInterval {
                return false
            }
            announced.kept = (declarations.count, now)
            return !declarations.isEmpty
        }
        guard isDue else { return }
        let program = DeclaredFlags.Program(name: app.name, seenAt: nil, flags: declarations.map(\.declared))
        try kept.write(program, at: Timestamp(seconds: WallClock.milliseconds / 1_000))
    }
}

extension PresenceAnnouncer.Announced {
    /// Updates the flags that are new, have changed, or were read.
    fileprivate mutating func update(_ contents: PresenceAnnouncer.Contents, startedAt: Int64) {
        let declarations = FlagRegistry.declarations
        if keys.count != declarations.count { keys = declarations.map(\.name) }
        for declaration in declarations {
            let use = use(of: declaration, contents, startedAt: startedAt)
            guard uses[declaration.name] != use else { continue }
            uses[declaration.name] = use
            lines[declaration.name] = declaration.declared(using: use).json.text(indented: false)
        }
    }

    private func use(
        of declaration: any AnyFlagDeclaration, _ contents: PresenceAnnouncer.Contents, startedAt: Int64
    ) -> FlagUse {
        let (key, reads) = (declaration.name, contents.reads)
        let old = uses[key]
        let wasRead = reads.everRead.contains(key)
        if let old, reads.allChangedAt == nil, reads.changedAt[key] == nil {
            return FlagUse(
                value: old.value, layer: old.layer, since: old.since, readAt: reads.readAt[key] ?? old.readAt,
                wasRead: wasRead, rejection: old.rejection,
                rejectedValue: old.rejectedValue)
        }
        let outcome = declaration.outcome(in: contents.values)
        let layer = outcome.layer ?? .default
        let rejected = declaration.refused(in: contents.values).first
        let isSame = old.map { $0.value == outcome.text && $0.layer == layer } ?? false
        return FlagUse(
            value: outcome.text, layer: layer,
            since: isSame ? old?.since ?? startedAt : reads.changedAt[key] ?? reads.allChangedAt ?? startedAt,
            readAt: reads.readAt[key] ?? (isSame ? old?.readAt : nil), wasRead: wasRead,
            rejection: rejected?.rejection, rejectedValue: rejected?.text)
    }
}
