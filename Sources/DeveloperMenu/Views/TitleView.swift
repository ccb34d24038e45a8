import FlagModel
import FlagQueries
import TerminalUI

/// The first line: the app, the badges, the status of each source, and the number of active overrides.
struct TitleView {
    let state: MenuState

    func draw(on frame: inout Frame) {
        let width = frame.size.columns
        guard !state.target.isNone else {
            return _ = frame.write(
                clipping: "FlagMenu", row: 0, column: 1, columns: width - 1, style: state.theme.title)
        }
        let isWide = width >= Layout.roomy.columns
        let name = isWide ? "FlagMenu \(state.charset.separator) \(state.target.app)" : state.target.app
        let badges = badges
        let badgeColumns = badges.reduce(0) { $0 + 2 + DisplayText.width($1.text, charset: state.charset) }
        let count = state.changeCount
        let words = changes(columns: width - 6 - DisplayText.width(name, charset: state.charset) - badgeColumns)
        let overridden = count == 0 ? words : " \(words) "
        frame.write(
            overridden, row: 0, endingBefore: width - 1, style: count == 0 ? state.theme.faint : state.theme.changed)
        let room = width - DisplayText.width(overridden, charset: state.charset) - 4
        // If there is little room, the name is shortened before the badges.
        let nameRoom = max(min(room, 4), room - badgeColumns)
        var end = frame.write(clipping: name, row: 0, column: 1, columns: nameRoom, style: state.theme.title)
        for (text, style) in badges where room + 1 - end > 3 {
            end = frame.write(clipping: text, row: 0, column: end + 2, columns: room - end - 1, style: style)
        }
        let (title, start) = (SourceTitle(state: state), end + 3)
        if isWide {
            frame.write(title.line(columns: room - start), row: 0, column: start, columns: room - start)
        } else if let waiting = title.shortWaiting, DisplayText.fits(waiting, columns: room - start) {
            frame.write(clipping: waiting, row: 0, column: start, columns: room - start, style: state.theme.plain)
        }
    }

    /// The number of changes, and the applied scenario if there is room for it.
    private func changes(columns: Int) -> String {
        let changes = state.changes
        let count = changes.changeCount == 0 ? "nothing changed" : "\(changes.changeCount) changed"
        guard let scenario = changes.scenarioWords else { return count }
        let words = "\(count) \(state.charset.separator) \(scenario)"
        return DisplayText.fits(words, columns: columns, charset: state.charset) ? words : count
    }

    /// The environment, and whether the menu is read-only.
    private var badges: [(text: String, style: Style)] {
        var badges: [(String, Style)] = []
        let environment = state.preferences.environment
        if !environment.isEmpty {
            let style = Self.isProduction(environment) ? state.theme.invalidMarker : state.theme.accent.reversed()
            badges.append((" \(DisplayText.safe(environment, charset: state.charset)) ", style))
        }
        if state.preferences.isReadOnly { badges.append(("read-only", state.theme.title)) }
        return badges
    }

    /// Whether an environment's name is that of a production environment.
    static func isProduction(_ environment: String) -> Bool {
        let words = environment.lowercased().split { !$0.isLetter }
        return words.contains { ["prod", "prd", "production", "live"].contains($0) }
    }
}

/// The sources in the title: the name, status and age of each, in the longest wording that fits. Each wording includes
/// the values that wait for activation.
struct SourceTitle {
    let state: MenuState

    /// The words for one source, or for all sources together.
    private struct Entry {
        let name: String
        let summary: String
        var shortSummary: String?
        var isFailed = false

        /// The name up to a colon: the kind of a service without the address. The name of a file is not shortened.
        var kind: String { String(name.prefix { $0 != ":" }) }
    }

    /// The longest wording that fits a number of columns, or the shortest wording if none fits.
    func line(columns: Int) -> StyledLine {
        let apps = state.apps.running.count
        var wordings = self.wordings
        if apps > 0 {
            let words = ", \(apps.counted("app")) running"
            wordings = wordings.map { $0.adding(words, state.theme.plain) } + wordings
        }
        return wordings.first { $0.width(state.charset) <= columns } ?? wordings[wordings.count - 1]
    }

    /// The wordings, from the longest to the shortest.
    private var wordings: [StyledLine] {
        let entries = self.entries
        var wordings = [
            line(entries, separator: "; ") { "\($0.name), \($0.summary)" },
            line(entries, separator: ", ") { "\($0.name) \($0.shortSummary ?? $0.summary)" },
        ]
        if Set(entries.map(\.kind)).count == entries.count {
            wordings.append(line(entries, separator: ", ") { "\($0.kind) \($0.shortSummary ?? $0.summary)" })
        }
        return entries.count > 1 ? wordings + [summary] : wordings
    }

    private func line(_ entries: [Entry], separator: String, _ wording: (Entry) -> String) -> StyledLine {
        var line = StyledLine()
        for (index, entry) in entries.enumerated() {
            if index > 0 { line = line.adding(separator, state.theme.plain) }
            line = line.adding(wording(entry), entry.isFailed ? state.theme.error : state.theme.plain)
        }
        return line.adding(waiting, state.theme.plain)
    }

    /// The number of sources, and the progress of the fetch, the age of the values, or how many sources were not read.
    private var summary: StyledLine {
        let count = state.remote.sources.count
        let unreadCount = state.remote.sources.count { $0.isFailed || $0.condition == .unread }
        if let fetch = state.remote.fetch {
            return StyledLine("\(count.counted("source")), \(fetch.summary)", state.theme.plain)
        }
        guard unreadCount > 0 else {
            let age = state.remote.fetchedAt.map { ", \($0.age(at: state.now))" } ?? ""
            return StyledLine("\(count.counted("source"))\(age)\(waiting)", state.theme.plain)
        }
        let words = unreadCount == count ? "\(count.counted("source")) not read" : "\(unreadCount) of \(count) not read"
        return StyledLine(words, state.theme.error).adding(waiting, state.theme.plain)
    }

    private var entries: [Entry] {
        let sources = state.remote.sources
        let entries = sources.count > 1 ? sources.enumerated().map { entry($1, $0) } : [combinedEntry]
        // The team's values are only named if they may be outdated.
        guard let team = state.team, let error = team.error else { return entries }
        return entries + [entry("team", .failed(reason: error, cachedFrom: team.fetchedAt))]
    }

    /// The entry for values of some age, or for something that could not be read.
    private func entry(_ name: String, _ condition: SourceStatus.Condition) -> Entry {
        let status = SourceStatus(name: name, condition: condition)
        let span = status.valuesAt?.span(until: state.now)
        let short =
            switch condition {
            case .unread: "unread"
            case .read: span ?? "now"
            case .failed(_, _?): "cached" + (span.map { " \($0)" } ?? "")
            case .failed(_, nil): "not read"
            }
        return Entry(name: name, summary: status.summary(at: state.now), shortSummary: short, isFailed: status.isFailed)
    }

    private func entry(_ source: SourceStatus, _ index: Int) -> Entry {
        guard let fetch = state.remote.fetch, let progress = fetch[index] else {
            return entry(source.title, source.condition)
        }
        // Parsing begins after the last response.
        return fetch.isParsing
            ? Entry(name: source.title, summary: "parsing")
            : Entry(name: source.title, summary: progress.summary, shortSummary: progress.shortSummary)
    }

    private var combinedEntry: Entry {
        let name = state.remote.sources.first?.title ?? state.target.source
        guard let condition = state.remote.condition else {
            return Entry(name: name, summary: state.remote.fetch?.summary ?? "reading")
        }
        guard case .failed = condition, state.remote.showsFormerContext else { return entry(name, condition) }
        return Entry(
            name: name, summary: "values for another context", shortSummary: "other context", isFailed: true)
    }

    /// How many values wait for activation, unless a fetch may change that; `nil` if no update waits. If it is 0, the
    /// update changes only options, titles or conditions.
    private var waitingCount: Int? { state.remote.fetch == nil ? state.remote.waiting?.count : nil }

    /// The values that wait for activation, for a title without room for the sources; `nil` if nothing waits.
    var shortWaiting: String? {
        waitingCount.map { "\($0 > 0 ? "\($0) wait" : "update") (\(state.keyName(of: .activate)))" }
    }

    private var waiting: String {
        guard let count = waitingCount else { return "" }
        let words = count > 0 ? count.counted("value waits", "values wait") : "an update waits"
        return ", \(words) (\(state.keyName(of: .activate)))"
    }
}
