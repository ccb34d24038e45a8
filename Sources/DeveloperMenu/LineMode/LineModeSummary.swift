import FlagModel

/// The title and the notices of the full screen, in sentences.
struct LineModeSummary {
    let state: MenuState

    /// The menu in one line: what is open, how much of it, and how many overrides are active.
    var line: String { "FlagMenu, \(state.subject.app).\(badges) \(flags) \(overrides) \(sources)\(waiting)" }

    /// Errors until they are fixed, with remedies.
    var problems: [String] {
        var lines: [String] = []
        if let problem = state.store.error {
            lines.append(
                "Error: \(problem)\(state.store.unsaved.isEmpty ? "" : " \(state.keyWord(of: .retry)) saves again.")")
        }
        lines += state.watchErrors.map { "Error: \($0)" }
        let remoteProblems = state.remoteProblems
        for (index, problem) in remoteProblems.enumerated() {
            let remedy = index == remoteProblems.count - 1 ? " \(state.keyWord(of: .fetch)) fetches again." : ""
            lines.append("Error: \(problem)\(remedy)")
        }
        return lines
    }

    private var badges: String {
        let environment = state.preferences.environment
        return (environment.isEmpty ? "" : " Environment \(environment).")
            + (state.preferences.isReadOnly ? " Read-only." : "")
    }

    private var flags: String {
        let catalog = state.board.catalog
        let count = state.board.placeCount
        let categories = catalog.categories.count
        guard categories > 0 else { return "\(count.counted("flag"))." }
        return "\(count.counted("flag")) in \(categories.counted("category", "categories"))."
    }

    /// How many overrides are active, which is always printed.
    var overrides: String { state.overrideCount == 0 ? "Nothing overridden." : "\(state.overrideCount) overridden." }

    /// The sources, each with its status and age.
    private var sources: String {
        guard state.remote.sources.count > 1 else { return source }
        return state.remote.sources.enumerated().map { index, source in
            let said = source.lines(
                progress: state.remote.fetch?.progress[index], now: state.now, activation: state.keyWord(of: .activate))
            return "Source \(index + 1), \(source.title), \(said[0])."
        }.joined(separator: " ")
    }

    /// The sources together, with the age of their values.
    var source: String {
        let name = "Source \(state.subject.source)"
        return switch state.remote.phase {
        case .loading: "\(name), being read."
        case .loaded(let moment): "\(name), read \(moment.age(at: state.now))."
        case .failed(let kept?): "\(name), not read; values cached \(kept.age(at: state.now))."
        case .failed(nil): "\(name), not read."
        }
    }

    private var waiting: String {
        guard let count = state.remote.waitingCount else { return "" }
        return " \(Self.waiting(count)); \(state.keyWord(of: .activate)) activates."
    }

    /// What waits for activation; at 0 only titles, options or conditions differ.
    static func waiting(_ count: Int) -> String {
        count > 0 ? count.counted("fetched value waits", "fetched values wait") : "A fetched update waits"
    }
}
