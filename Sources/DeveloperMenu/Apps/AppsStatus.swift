public import FlagModel

/// The running apps, and when the menu changed overrides, as far as it did.
public struct AppsStatus: Sendable, Equatable {
    /// The running apps, the one that started first at the start.
    public var running: [RunningApp]
    /// The folder of the overrides that the menu changes.
    public var overrideFolder: String
    /// When this menu saved the last change of each flag, in milliseconds since 1970 UTC.
    public var savedAt: [String: Int64]
    /// When the announcements were read, in milliseconds since 1970 UTC.
    public var readAt: Int64

    /// A status; by default of no apps.
    public init(
        running: [RunningApp] = [], overrideFolder: String = "", savedAt: [String: Int64] = [:], readAt: Int64 = 0
    ) {
        self.running = running
        self.overrideFolder = overrideFolder
        self.savedAt = savedAt
        self.readAt = readAt
    }

    /// How long apps may take to use a change before the list says that none has, in milliseconds.
    public static let timeToTake: Int64 = 2_000

    /// What an app does about a flag.
    struct Line: Equatable {
        let app: String
        let words: String
        /// Whether the app uses the value that the menu shows.
        let isTaken: Bool
    }

    /// What each running app that declares a flag does about its override, or its other value.
    func lines(of facts: FlagFacts) -> [Line] {
        running.compactMap { app in
            guard let uptake = uptake(of: facts, by: app) else { return nil }
            return Line(app: app.shownName, words: words(uptake, facts.key, app), isTaken: uptake.isTaken)
        }
    }

    /// Whether an app uses the override of a flag, or its other value; `nil` if the app does not declare the flag.
    func uptake(of facts: FlagFacts, by app: RunningApp) -> FlagUptake? {
        app.uptake(
            of: facts.override, for: facts.key, in: overrideFolder, needsRestart: facts.item?.needsRestart == true)
    }

    /// Why no running app uses the last change of a flag, although it has had time to; `nil` if an app uses it, if none
    /// declares the flag, or if it was not changed.
    func reasonNotTaken(_ facts: FlagFacts) -> String? {
        guard !running.isEmpty, let changedAt = savedAt[facts.key] ?? facts.override?.setAt?.milliseconds,
            changedAt + Self.timeToTake <= readAt
        else { return nil }
        let lines = lines(of: facts)
        guard let first = lines.first, !lines.contains(where: \.isTaken) else { return nil }
        let others = lines.count > 1 ? " (and \(lines.count - 1) more)" : ""
        return "No app took it: \(first.app) \(first.words)\(others)."
    }

    private func words(_ uptake: FlagUptake, _ key: String, _ app: RunningApp) -> String {
        guard case .taken(let moment) = uptake, let use = app.flag(key)?.use else { return uptake.words }
        let value = EffectiveChange.shown(use.value)
        guard let saved = savedAt[key], moment >= saved else { return "uses \(value) (\(use.layer.word))" }
        return "took \(value) \(moment - saved) ms after you set it"
    }
}
