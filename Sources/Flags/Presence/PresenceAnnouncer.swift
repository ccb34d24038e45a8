import Dispatch
import FlagModel
import FlagPresence
import FlagStorage
import Synchronization

/// Announces that this process runs an app, and which values it uses; see ``FlagModel/RunningApp``.
///
/// An observer of the store. The first read of a flag after a change also wakes it; later reads are atomic loads.
/// Announcements are written on a queue of their own, without waiting for the disk: at once, and then at most every 50
/// milliseconds.
final class PresenceAnnouncer: Sendable {
    /// What has happened to a flag, and when, in milliseconds since 1970 UTC.
    private struct Events {
        var change: (revision: Int, at: Int64)?
        /// The first value that the code has read.
        var firstRead: ReadValue?
        /// The last value that the code has read, and the revision of the contents with it.
        var lastRead: (value: ReadValue, revision: Int, at: Int64)?
    }

    /// What the next announcement says.
    private struct State {
        /// The contents after the last change; `nil` before the store is observed.
        var contents: StoreContents?
        var events: FlagTable<Events> = [:]
        /// The flags that have changed or were read since the last announcement.
        var updatedKeys: Set<FlagText> = []
        var isScheduled = false
        /// When the next announcement may be written.
        var earliest = DispatchTime(uptimeNanoseconds: 0)
        /// The flags as they were announced last; empty while an announcement is made.
        var announced: FlagTable<Announced> = [:]
    }

    /// A flag as it was announced last, and as JSON.
    private typealias Announced = (use: FlagUse, line: String)

    /// The shortest time between two announcements.
    private static let pause = DispatchTimeInterval.milliseconds(50)
    /// How long an announcement waits at least: a change and its first read often follow each other.
    private static let gatheringTime = DispatchTimeInterval.milliseconds(1)
    /// How long after a failure an announcement is written again: the disk may have been full.
    private static let retryTime = DispatchTimeInterval.seconds(10)

    /// The same announcement in each folder.
    private let files: [PresenceFile]
    private let folders: [String]
    private let app: RunningApp
    private let onFailure: @Sendable (StorageError) -> Void
    private let queue = DispatchQueue(label: "flags.presence", qos: .utility)
    private let state = Mutex(State())
    private let hasFailed = Atomic(false)

    /// - Parameters:
    ///   - app: the app, without its flags.
    ///   - folders: the folders in which menus look.
    ///   - onFailure: called if the announcement cannot be written for the first time. It is written again after a while,
    ///     or with the next change.
    init(_ app: RunningApp, in folders: [String], onFailure: @escaping @Sendable (StorageError) -> Void) {
        (self.app, self.folders, self.onFailure) = (app, folders, onFailure)
        files = folders.map { PresenceFile(in: $0, id: app.id) }
    }

    /// Announces the app for the first time.
    func begin(with contents: StoreContents) {
        state.withLock { $0.contents = contents }
        announce()
        // The first announcement does not wait until those of ended processes are removed.
        queue.asyncAfter(deadline: .now() + .seconds(1)) { [folders] in _ = RunningApps(in: folders).read() }
    }

    /// Announces a change of the store.
    func receive(_ change: StoreChange) {
        let isNewRevision = change.old.overrideFile?.table.revision != change.new.overrideFile?.table.revision
        guard !change.layers.isEmpty || isNewRevision else { return }
        let keys = FlagRegistry.declarations.map { FlagText($0.name) }.filter(change.mayDiffer)
        let received = (revision: change.new.revision, at: WallClock.milliseconds)
        state.withLock { state in
            state.contents = change.new
            for key in keys { state.events[key.string, default: Events()].change = received }
            state.updatedKeys.formUnion(keys)
        }
        announce()
    }

    /// Announces that the code reads a value.
    ///
    /// - Parameter revision: the revision of the contents with the value. A read of older contents than an earlier one
    ///   is not the last read, whichever thread comes first.
    func recordRead(of key: String, _ value: ReadValue, at revision: Int) {
        let read = (value: value, revision: revision, at: WallClock.milliseconds)
        state.withLock { state in
            var events = state.events[key] ?? Events()
            if events.firstRead == nil { events.firstRead = value }
            if revision >= events.lastRead?.revision ?? 0 { events.lastRead = read }
            state.events[key] = events
            state.updatedKeys.insert(FlagText(key))
        }
        announce()
    }

    /// Ends the announcement: the process counts as ended.
    func end() { for file in files { file.end() } }

    private func announce() {
        let time = state.withLock { state -> DispatchTime? in
            guard !state.isScheduled, state.contents != nil else { return nil }
            state.isScheduled = true
            return max(.now() + Self.gatheringTime, state.earliest)
        }
        if let time { queue.asyncAfter(deadline: time) { [weak self] in self?.write() } }
    }

    private func write() {
        var announced: FlagTable<Announced> = [:]
        // Copies only what is new, so that the table is not copied by the next read.
        let (known, updates) = state.withLock { state in
            let updates = state.updatedKeys.map { ($0.string, state.events[$0.string] ?? Events()) }
            (state.isScheduled, state.updatedKeys, state.earliest) = (false, [], .now() + Self.pause)
            swap(&announced, &state.announced)
            return (state.contents, FlagTable(updates) { first, _ in first })
        }
        guard let contents = known else { return }
        // Without the lock, as the code of the app, which decodes values, may read flags.
        let lines = FlagRegistry.declarations.map { declaration in
            let old = announced[declaration.name]
            let events = updates[declaration.name]
            if let old, events == nil { return old.line }
            let use = use(of: declaration, in: contents.values, events ?? Events(), old?.use)
            let line = declaration.declared(using: use).json.text(indented: false)
            announced[declaration.name] = (use, line)
            return line
        }
        var app = app
        app.revision = contents.overrideFile?.table.revision
        for file in files {
            do throws(StorageError) {
                try file.write(app.text(flags: lines))
            } catch {
                if !hasFailed.exchange(true, ordering: .relaxed) { onFailure(error) }
                queue.asyncAfter(deadline: .now() + Self.retryTime) { [weak self] in self?.announce() }
            }
        }
        state.withLock { ($0.announced, $0.earliest) = (announced, .now() + Self.pause) }
    }

    private func use(
        of declaration: any AnyFlagDeclaration, in values: LayerValues, _ events: Events, _ old: FlagUse?
    ) -> FlagUse {
        let (key, outcome) = (declaration.name, declaration.outcome(in: values))
        let (change, read) = (events.change, events.lastRead)
        let content = outcome.content
        let isSame = old.map { ReadValue(text: $0.value, layer: $0.layer) == content } == true
        let since = isSame ? old?.since ?? app.startedAt : change?.at ?? app.startedAt
        var readAt: Int64?
        // If the code has read another value after this one, it has to read this one again.
        if let read, read.value == content {
            // The change of a value may be announced after its first read.
            let isRead = read.revision >= change?.revision ?? 0 || read.at >= since
            readAt = (isSame ? old?.readAt : nil) ?? (isRead ? max(read.at, since) : nil)
        }
        let remoteValue = [FlagLayer.team, .remote].lazy.compactMap { values.text(of: key, in: $0) }.first
        // A tester first wants to know about an override, even if a launch value is not valid either.
        let rejected = outcome.refused.first { $0.layer == .override } ?? outcome.refused.first
        return FlagUse(
            value: content.text, layer: content.layer, remoteValue: remoteValue, since: since, readAt: readAt,
            wasRead: read != nil, firstValue: events.firstRead?.text, rejection: rejected?.rejection,
            rejectedValue: rejected?.text)
    }
}
