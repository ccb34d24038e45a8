public import FlagModel

/// The running apps, and how far they use the overrides in a folder.
public struct AppsStatus: Sendable, Equatable {
    /// The running apps, the one that started first at the start.
    public var running: [RunningApp]
    /// The folder of the overrides that the menu changes.
    public var overrideFolder: String
    /// When the announcements were read, in milliseconds since 1970 UTC.
    public var readAt: Int64

    /// A status; by default of no apps.
    public init(running: [RunningApp] = [], overrideFolder: String = "", readAt: Int64 = 0) {
        (self.running, self.overrideFolder, self.readAt) = (running, overrideFolder, readAt)
    }

    /// How long apps may take to use a change before the list says that none has, in milliseconds.
    private static let timeToTake: Int64 = 2_000
    /// How long after an app took a change its time is shown, in milliseconds.
    private static let freshTime: Int64 = 60_000

    /// What an app does about a flag.
    public struct Line: Sendable, Equatable {
        /// The name of the app, with its process id.
        public let app: String
        /// What it does, to follow its name.
        public let summary: String
        /// Whether the app uses the value that the menu shows.
        public let isTaken: Bool
    }

    /// What each running app that declares a flag does about its override, or its other value.
    public func lines(of facts: FlagFacts) -> [Line] {
        running.compactMap { line(of: facts, by: $0) }
    }

    /// What an app does about the override of a flag, or its other value; `nil` if the app does not declare the flag.
    package func line(of facts: FlagFacts, by app: RunningApp) -> Line? {
        uptake(of: facts, by: app).map { uptake in
            Line(app: app.shownName, summary: summary(uptake, facts, app), isTaken: uptake.isTaken)
        }
    }

    /// Whether an app uses the override of a flag, or its other value; `nil` if the app does not declare the flag.
    private func uptake(of facts: FlagFacts, by app: RunningApp) -> FlagUptake? {
        let uptake = app.uptake(
            of: facts.override, for: facts.key, in: overrideFolder, needsRestart: facts.item?.needsRestart == true)
        // Only the menu knows the newer remote value.
        guard uptake?.isTaken == true, app.activatesAtLaunch, let use = app.flag(facts.key)?.use,
            use.layer == .remote, let value = use.value, !facts.hasRemote(value)
        else { return uptake }
        return .activatesAtLaunch(value: value)
    }

    /// Why no running app uses the override of a flag, although it has had time to; `nil` if an app uses it, if none
    /// declares the flag, or if nobody knows when it was set.
    package func reasonNotTaken(_ facts: FlagFacts) -> String? {
        guard !running.isEmpty, let setAt = facts.override?.setAt else { return nil }
        // An app that has started later had less time. The time of an override has no parts of a second.
        let knownSince = running.compactMap { $0.flag(facts.key)?.use?.since }.max() ?? 0
        guard max(setAt.milliseconds + 1_000, knownSince) + Self.timeToTake <= readAt else { return nil }
        let lines = lines(of: facts)
        guard let first = lines.first, !lines.contains(where: \.isTaken) else { return nil }
        let others = lines.count > 1 ? " (and \(lines.count - 1) more)" : ""
        return "No app took it: \(first.app) \(first.summary)\(others)."
    }

    private func summary(_ uptake: FlagUptake, _ facts: FlagFacts, _ app: RunningApp) -> String {
        guard case .taken(let moment) = uptake, let use = app.flag(facts.key)?.use else { return uptake.summary }
        let value = EffectiveChange.shown(use.value)
        // An app that started later has not waited for the change.
        let isFresh = moment + Self.freshTime > readAt && use.since > app.startedAt
        guard facts.override != nil, isFresh else { return "uses \(value) (\(use.layer.word))" }
        return "took \(value) after \(moment - use.since) ms"
    }

    /// That an app cannot read an override.
    package struct Rejection: Hashable {
        /// The id of the app.
        let app: String
        let key: String
        let value: String
        /// The app, the flag and the reason.
        package let sentence: String
    }

    /// The overrides that running apps cannot read.
    package func rejections(of overrides: FlagTable<FlagOverride>) -> [Rejection] {
        running.filter { $0.overrideFolder == overrideFolder }.flatMap { app in
            app.flags.compactMap { flag in
                guard let use = flag.use, let value = use.rejectedValue, overrides[flag.key]?.value == value else {
                    return nil
                }
                return Rejection(
                    app: app.id, key: flag.key, value: value, sentence: app.rejectionSentence(flag.key, use))
            }
        }
    }
}
