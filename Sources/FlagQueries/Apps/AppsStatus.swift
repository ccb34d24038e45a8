public import FlagModel

/// The running apps, and when overrides were changed while the menu was open.
public struct AppsStatus: Sendable, Equatable {
    /// The running apps, the one that started first at the start.
    public var running: [RunningApp]
    /// The folder of the overrides that the menu changes.
    public var overrideFolder: String
    /// The last change of each override while the menu was open, by key.
    public var changes: FlagTable<NoticedChange>
    /// When the announcements were read, in milliseconds since 1970 UTC.
    public var readAt: Int64

    /// A status; by default of no apps.
    public init(
        running: [RunningApp] = [], overrideFolder: String = "", changes: FlagTable<NoticedChange> = [:],
        readAt: Int64 = 0
    ) {
        self.running = running
        self.overrideFolder = overrideFolder
        self.changes = changes
        self.readAt = readAt
    }

    /// How long apps may take to use a change before the list says that none has, in milliseconds.
    public static let timeToTake: Int64 = 2_000

    /// What an app does about a flag.
    public struct Line: Sendable, Equatable {
        /// The name of the app, with its process id.
        public let app: String
        /// What it does, to follow its name.
        public let words: String
        /// Whether the app uses the value that the menu shows.
        public let isTaken: Bool
    }

    /// What each running app that declares a flag does about its override, or its other value.
    public func lines(of facts: FlagFacts) -> [Line] {
        running.compactMap { app in
            guard let uptake = uptake(of: facts, by: app) else { return nil }
            return Line(app: app.shownName, words: words(uptake, facts, app), isTaken: uptake.isTaken)
        }
    }

    /// Whether an app uses the override of a flag, or its other value; `nil` if the app does not declare the flag.
    package func uptake(of facts: FlagFacts, by app: RunningApp) -> FlagUptake? {
        let uptake = app.uptake(
            of: facts.override, for: facts.key, in: overrideFolder, needsRestart: facts.item?.needsRestart == true)
        // Only the menu knows the newer remote value.
        guard uptake?.isTaken == true, app.activatesAtLaunch, let use = app.flag(facts.key)?.use,
            use.layer == .remote, let value = use.value, !facts.hasRemote(value)
        else { return uptake }
        return .activatesAtLaunch(value: value)
    }

    /// Why no running app uses the last change of a flag, although it has had time to; `nil` if an app uses it, if none
    /// declares the flag, or if it was not changed.
    package func reasonNotTaken(_ facts: FlagFacts) -> String? {
        guard !running.isEmpty, let changedAt = changedAt(facts), changedAt + Self.timeToTake <= readAt else {
            return nil
        }
        let lines = lines(of: facts)
        guard let first = lines.first, !lines.contains(where: \.isTaken) else { return nil }
        let others = lines.count > 1 ? " (and \(lines.count - 1) more)" : ""
        return "No app took it: \(first.app) \(first.words)\(others)."
    }

    /// The change that made a flag's override what it is; `nil` if it was not noticed.
    private func change(of facts: FlagFacts) -> NoticedChange? {
        // The override of the flag may be newer than this status.
        changes[facts.key].flatMap { $0.override == facts.override ? $0 : nil }
    }

    private func changedAt(_ facts: FlagFacts) -> Int64? {
        // The time of an override has no parts of a second.
        change(of: facts)?.at ?? facts.override?.setAt.map { $0.milliseconds + 1_000 }
    }

    private func words(_ uptake: FlagUptake, _ facts: FlagFacts, _ app: RunningApp) -> String {
        guard case .taken(let moment) = uptake else { return uptake.words }
        // An app that started later has not waited for the change.
        let change = change(of: facts).flatMap { change in
            change.isOwn && change.at >= app.startedAt && change.at <= moment ? change : nil
        }
        let delay = change.map { "\(moment - $0.at) ms after you set it" }
        guard let use = app.knownUse(of: facts.key) else { return "evaluated all flags \(delay ?? "since")" }
        let value = EffectiveChange.shown(use.value)
        return delay.map { "took \(value) \($0)" } ?? "uses \(value) (\(use.layer.word))"
    }
}

// Values that an app cannot use.
extension AppsStatus {
    /// That an app rejects a value which this menu has set.
    package struct Rejection: Hashable {
        /// The id of the app.
        let app: String
        let key: String
        /// When the menu set the value, in milliseconds since 1970 UTC.
        package let setAt: Int64
        /// The app, the flag and the reason.
        package let sentence: String
    }

    /// The values that this menu has set, and that running apps reject.
    package var rejections: [Rejection] {
        running.filter { $0.overrideFolder == overrideFolder }.flatMap { app in
            app.flags.compactMap { flag in
                guard let use = flag.use, let value = use.rejectedValue, let change = changes[flag.key], change.isOwn,
                    change.override?.value == value
                else { return nil }
                return Rejection(
                    app: app.id, key: flag.key, setAt: change.at, sentence: app.rejectionSentence(flag.key, use))
            }
        }
    }
}
