public import FlagModel

/// The running apps, and when the menu changed overrides, as far as it did.
public struct AppsStatus: Sendable, Equatable {
    /// The running apps, the one that started first at the start.
    public var running: [RunningApp]
    /// The folder of the overrides that the menu changes.
    public var overrideFolder: String
    /// When this menu saved the last change of each flag, in milliseconds since 1970 UTC.
    public var savedAt: [String: Int64]

    /// A status; by default of no apps.
    public init(running: [RunningApp] = [], overrideFolder: String = "", savedAt: [String: Int64] = [:]) {
        self.running = running
        self.overrideFolder = overrideFolder
        self.savedAt = savedAt
    }

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
            let restart = facts.item?.needsRestart == true
            guard
                let uptake = app.uptake(
                    of: facts.override, for: facts.key, in: overrideFolder, needsRestart: restart)
            else { return nil }
            return Line(app: app.shownName, words: words(uptake, facts.key, app), isTaken: uptake.isTaken)
        }
    }

    private func words(_ uptake: FlagUptake, _ key: String, _ app: RunningApp) -> String {
        guard case .taken(let moment) = uptake, let use = app.flag(key)?.use else { return uptake.words }
        let value = EffectiveChange.shown(use.value)
        guard let saved = savedAt[key], moment >= saved else { return "uses \(value) (\(use.layer.word))" }
        return "took \(value) \(moment - saved) ms after you set it"
    }
}
