import FlagModel
import FlagQueries

/// The title and the notices of the full-screen menu, in sentences.
struct LineModeSummary {
    let state: MenuState

    var lines: [String] { [line] + issues }

    /// The menu in one line: the app, the numbers of flags and active overrides, and the sources.
    private var line: String {
        state.target.isNone
            ? "FlagMenu. Nothing is open."
            : "FlagMenu, \(state.target.app).\(badges) \(flags) \(overrides) \(sources)\(waiting)"
    }

    /// The errors, and that a search is running.
    var issues: [String] {
        errors + (state.bisectNotice.map { ["\($0) \(state.keyName(of: "bisect")) goes on."] } ?? [])
    }

    /// The errors that are not fixed yet, with remedies.
    var errors: [String] {
        let retry = state.store.unsaved.isEmpty ? "" : " \(state.keyWord(of: .retry)) saves again."
        var lines = [state.store.error.map { $0 + retry }].compactMap { $0 } + state.watchErrors + state.remote.issues
        if !state.remote.issues.isEmpty { lines[lines.count - 1] += " \(state.keyWord(of: .fetch)) fetches again." }
        return lines.map { "Error: \($0)" }
    }

    private var badges: String {
        let environment = state.preferences.environment
        return (environment.isEmpty ? "" : " Environment \(environment).")
            + (state.preferences.isReadOnly ? " Read-only." : "")
    }

    private var flags: String {
        let categories = state.board.catalog.categories.count
        let place = categories > 0 ? " in \(categories.counted("category", "categories"))" : ""
        return "\(state.board.places.count.counted("flag"))\(place)."
    }

    /// The number of changes, as a sentence.
    var overrides: String {
        let count = state.changeCount
        let scenario = state.changes.scenarioWords.map { " Scenario \($0)." } ?? ""
        return (count == 0 ? "No changes are active." : "\(count) changed.") + scenario
    }

    /// The sources, each with its status and age.
    private var sources: String {
        guard state.remote.sources.count > 1 else { return source }
        return state.remote.sources.enumerated().map { index, source in
            let statusLines = state.statusLines(ofSource: index, activation: state.keyWord(of: .activate))
            return "Source \(index + 1), \(source.title), \(statusLines[0])."
        }.joined(separator: " ")
    }

    /// All sources together, with the age of their values.
    var source: String {
        let name = "Source \(state.target.source)"
        return switch state.remote.condition {
        case nil: "\(name), being read."
        case .read(let moment)?: "\(name), read \(moment.age(at: state.now))."
        case .failed(_, let cachedAt?)?: "\(name), not read; values cached \(cachedAt.age(at: state.now))."
        case .failed(_, nil)?, .unread?: "\(name), not read."
        }
    }

    private var waiting: String {
        guard let count = state.remote.waiting?.count else { return "" }
        return " \(Self.waiting(count)); \(state.keyWord(of: .activate)) activates."
    }

    /// The number of fetched values that wait for activation, without a period; 0 stands for an update of titles,
    /// options or conditions.
    static func waiting(_ count: Int) -> String {
        count > 0 ? count.counted("fetched value waits", "fetched values wait") : "A fetched update waits"
    }
}
