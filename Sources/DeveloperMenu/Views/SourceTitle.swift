import FlagModel
import TerminalUI

/// What the title tells of the sources: each one's name, state and age, in the fullest of some wordings for which there is
/// room. What waits for activation is a part of each.
struct SourceTitle {
    let state: MenuState

    /// A source, or all of them together where nothing is known of each.
    private struct Entry {
        let name: String
        let words: String
        let shortWords: String
        var isFailed = false

        /// The kind of service without its address; a file's name is all there is.
        var kind: String { String(name.prefix { $0 != ":" }) }
    }

    /// The line for so many columns; clipped only where not even the shortest wording fits.
    func line(columns: Int) -> StyledLine {
        let wordings = self.wordings
        return wordings.first { $0.width(state.charset) <= columns } ?? wordings[wordings.count - 1]
    }

    /// From the fullest to the shortest.
    private var wordings: [StyledLine] {
        let entries = self.entries
        var wordings = [
            line(entries, separator: "; ") { "\($0.name), \($0.words)" },
            line(entries, separator: ", ") { "\($0.name) \($0.shortWords)" },
        ]
        if Set(entries.map(\.kind)).count == entries.count {
            wordings.append(line(entries, separator: ", ") { "\($0.kind) \($0.shortWords)" })
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

    /// How many sources there are, and of how many nothing new can be had, or nothing was yet.
    private var summary: StyledLine {
        let (count, failed) = (
            state.remote.sources.count, state.remote.sources.count { $0.isFailed || $0.condition == .unread }
        )
        if let fetch = state.remote.fetch {
            return StyledLine("\(count.counted("source")), \(fetch.words)", state.theme.plain)
        }
        guard failed > 0 else {
            let age = state.remote.fetchedAt.map { ", \($0.age(at: state.now))" } ?? ""
            return StyledLine("\(count.counted("source"))\(age)\(waiting)", state.theme.plain)
        }
        let words = failed == count ? "\(count.counted("source")) not read" : "\(failed) of \(count) not read"
        return StyledLine(words, state.theme.error).adding(waiting, state.theme.plain)
    }

    private var entries: [Entry] {
        guard state.remote.sources.count > 1 else { return [together] }
        return state.remote.sources.enumerated().map { index, source in
            if let progress = state.remote.fetch?.progress[index] {
                // An answer is read when all are there.
                let isParsing = state.remote.fetch?.isParsing == true
                return Entry(
                    name: source.title, words: isParsing ? "parsing" : progress.words,
                    shortWords: isParsing ? "parsing" : progress.shortWords)
            }
            return Entry(
                name: source.title, words: source.words(at: state.now), shortWords: source.shortWords(at: state.now),
                isFailed: source.isFailed)
        }
    }

    private var together: Entry {
        let name = state.remote.sources.first?.title ?? state.subject.source
        let reading = state.remote.fetch?.words ?? "reading"
        return switch state.remote.phase {
        case .loading: Entry(name: name, words: reading, shortWords: reading)
        case .loaded(let moment):
            Entry(name: name, words: moment.age(at: state.now), shortWords: moment.span(until: state.now) ?? "now")
        case .failed(_?) where state.remote.showsFormerContext:
            Entry(name: name, words: "values for another context", shortWords: "other context", isFailed: true)
        case .failed(let kept?):
            Entry(
                name: name, words: "cached \(kept.age(at: state.now))",
                shortWords: kept.keptWords(at: state.now), isFailed: true)
        case .failed(nil): Entry(name: name, words: "not read", shortWords: "not read", isFailed: true)
        }
    }

    /// That something waits, for where there is no room for the sources; `nil` where nothing does.
    var shortWaiting: String? {
        guard let count = state.remote.waitingCount, state.remote.fetch == nil else { return nil }
        return "\(count > 0 ? "\(count) wait" : "update") (\(state.keyName(of: .activate)))"
    }

    private var waiting: String {
        guard let count = state.remote.waitingCount, state.remote.fetch == nil else { return "" }
        // What differs may be options, titles or conditions alone.
        let words = count > 0 ? count.counted("value waits", "values wait") : "an update waits"
        return ", \(words) (\(state.keyName(of: .activate)))"
    }
}

extension SourceStatus {
    /// Its state and age, behind its name.
    func words(at now: Timestamp) -> String {
        switch condition {
        case .unread: "not read yet"
        case .read(let moment): moment.age(at: now)
        case .failed(_, let kept?): "cached \(kept.age(at: now))"
        case .failed(_, nil): "not read"
        }
    }

    /// The same for where there is little room.
    fileprivate func shortWords(at now: Timestamp) -> String {
        switch condition {
        case .unread: "unread"
        case .read(let moment): moment.span(until: now) ?? "now"
        case .failed(_, let kept?): kept.keptWords(at: now)
        case .failed(_, nil): "not read"
        }
    }
}

extension Timestamp {
    /// In few words, that values of this time are still in use.
    fileprivate func keptWords(at now: Timestamp) -> String { "cached" + (span(until: now).map { " \($0)" } ?? "") }
}
