import FlagModel
import FlagQueries
import TerminalUI

/// The sources in the title: the name, status and age of each, in the longest wording that fits. Each wording includes
/// the values that wait for activation.
struct SourceTitle {
    let state: MenuState

    /// The words for one source, or for all sources together.
    private struct Entry {
        let name: String
        let summary: String
        let shortSummary: String
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
            line(entries, separator: ", ") { "\($0.name) \($0.shortSummary)" },
        ]
        if Set(entries.map(\.kind)).count == entries.count {
            wordings.append(line(entries, separator: ", ") { "\($0.kind) \($0.shortSummary)" })
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

    private var entries: [Entry] { sourceEntries + [teamEntry].compactMap { $0 } }

    /// The team's values, if they may be outdated; `nil` if they are current.
    private var teamEntry: Entry? {
        guard let team = state.team, team.error != nil else { return nil }
        let words = team.fetchedAt.map { "cached \($0.age(at: state.now))" } ?? "not read"
        let shortWords = team.fetchedAt.map { $0.cachedWords(at: state.now) } ?? "not read"
        return Entry(name: "team", summary: words, shortSummary: shortWords, isFailed: true)
    }

    private var sourceEntries: [Entry] {
        guard state.remote.sources.count > 1 else { return [combinedEntry] }
        return state.remote.sources.enumerated().map { index, source in
            if let progress = state.remote.fetch?.progress[index] {
                // Parsing begins after the last response.
                let isParsing = state.remote.fetch?.isParsing == true
                return Entry(
                    name: source.title, summary: isParsing ? "parsing" : progress.summary,
                    shortSummary: isParsing ? "parsing" : progress.shortSummary)
            }
            return Entry(
                name: source.title, summary: source.summary(at: state.now),
                shortSummary: source.shortSummary(at: state.now), isFailed: source.isFailed)
        }
    }

    private var combinedEntry: Entry {
        let name = state.remote.sources.first?.title ?? state.target.source
        let reading = state.remote.fetch?.summary ?? "reading"
        return switch state.remote.phase {
        case .loading: Entry(name: name, summary: reading, shortSummary: reading)
        case .loaded(let moment):
            Entry(name: name, summary: moment.age(at: state.now), shortSummary: moment.span(until: state.now) ?? "now")
        case .failed(_?) where state.remote.showsFormerContext:
            Entry(name: name, summary: "values for another context", shortSummary: "other context", isFailed: true)
        case .failed(let cachedAt?):
            Entry(
                name: name, summary: "cached \(cachedAt.age(at: state.now))",
                shortSummary: cachedAt.cachedWords(at: state.now), isFailed: true)
        case .failed(nil): Entry(name: name, summary: "not read", shortSummary: "not read", isFailed: true)
        }
    }

    /// The values that wait for activation, for a title without room for the sources; `nil` if nothing waits.
    var shortWaiting: String? {
        guard let count = state.remote.waitingCount, state.remote.fetch == nil else { return nil }
        return "\(count > 0 ? "\(count) wait" : "update") (\(state.keyName(of: .activate)))"
    }

    private var waiting: String {
        guard let count = state.remote.waitingCount, state.remote.fetch == nil else { return "" }
        // If the count is 0, the update changes only options, titles or conditions.
        let words = count > 0 ? count.counted("value waits", "values wait") : "an update waits"
        return ", \(words) (\(state.keyName(of: .activate)))"
    }
}

extension SourceStatus {
    /// The status of the source and the age of its values, in a word or two.
    fileprivate func shortSummary(at now: FlagTimestamp) -> String {
        switch condition {
        case .unread: "unread"
        case .read(let moment): moment.span(until: now) ?? "now"
        case .failed(_, let cachedAt?): cachedAt.cachedWords(at: now)
        case .failed(_, nil): "not read"
        }
    }
}

extension FlagTimestamp {
    /// The words for values that were cached at this time, such as `cached 5m`.
    fileprivate func cachedWords(at now: FlagTimestamp) -> String {
        "cached" + (span(until: now).map { " \($0)" } ?? "")
    }
}
