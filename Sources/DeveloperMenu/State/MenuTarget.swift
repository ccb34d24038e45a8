import FlagModel
public import FlagQueries

/// The app and the source that a menu is opened on.
public struct MenuTarget: Sendable, Equatable {
    /// The app's id; empty if nothing is open.
    public let app: String
    /// The source as the title names it, such as a file's name.
    public let source: String
    /// The options with which `flagmenu` commands use the same app, sources and store.
    public let arguments: [String]

    /// Whether nothing is open, so that the user has to choose first, and closing the choice quits.
    var isNone: Bool { app.isEmpty }

    /// A target, with its names for the title and for messages.
    public init(app: String, source: String, arguments: [String] = []) {
        (self.app, self.source, self.arguments) = (app, source, arguments)
    }

    /// A sentence about changes that stay active for the app, and how to reset them; `nil` if there are none.
    ///
    /// - Parameter isReadOnly: whether the menu may not change anything, so that it does not show how to reset them.
    func sentence(about changes: OverrideTable, at now: FlagTimestamp, isReadOnly: Bool) -> String? {
        guard changes.changeCount > 0 else { return nil }
        let isOne = changes.changeCount == 1
        let scenario = changes.scenarioWords.map { ", scenario \($0)," } ?? ""
        let end = changes.nextEnd.map { ", \(isOne ? "" : "the first ")\(OverrideEnd.moment($0).words(at: now))" } ?? ""
        let fact = "\(changes.changesCounted)\(scenario) \(isOne ? "is" : "are") active for \(app)\(end)"
        // The team's address would look as if the command cleared the team's values.
        var settings = arguments
        if let team = settings.firstIndex(of: "--team") {
            settings.removeSubrange(team..<min(team + 2, settings.count))
        }
        let clearing = ShellCommand("reset", options: ["--all"], operands: [], settings: settings)
        guard !isReadOnly, let clearing = clearing.text else { return "\(fact)." }
        return "\(fact); `\(clearing)` resets \(isOne ? "it" : "them")."
    }
}

/// Why the menu closes.
public enum MenuEnding: Sendable, Equatable {
    /// The user left.
    case left
    /// The user selected another target. The target has been read, and the next menu opens on it.
    case reopened(OpenTarget)
    /// The user pressed Ctrl-C.
    case interrupted
}
