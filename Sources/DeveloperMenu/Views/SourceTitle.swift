import FlagModel
import TerminalUI

/// The title of the sources: each one's name, status and age, in the fullest form for which there is room. Each form
/// includes what waits for activation.
struct SourceTitle {
    let state: MenuState

    /// A source, or all of them together if their status is not known.
    private struct Entry {
        let name: String
        let words: String
        let shortWords: String
        var isFailed = false

        /// The kind of service without its address; the whole name of a file.
        var kind: String { String(name.prefix { $0 != ":" }) }
    }

    /// The line for so many columns; clipped only if even the shortest form does not fit.
    func line(columns: Int) -> StyledLine {
        let wordings = self.wordings
        return wordings.first { $0.width(state.charset) <= columns } ?? wordings[wordings.count - 1]
    }

    /// The forms, from the fullest to the shortest.
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

    /// How many sources there are, and how many of them failed or were not read yet.
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
                // Parsing begins when all responses are there.
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

    /// What waits for activation, if there is no room for the sources; `nil` if nothing does.
    var shortWaiting: String? {
        guard let count = state.remote.waitingCount, state.remote.fetch == nil else { return nil }
        return "\(count > 0 ? "\(count) wait" : "update") (\(state.keyName(of: .activate)))"
    }

    private var waiting: String {
        guard let count = state.remote.waitingCount, state.remote.fetch == nil else { return "" }
        // The difference may be only options, titles or conditions.
        let words = count > 0 ? count.counted("value waits", "values wait") : "an update waits"
        return ", \(words) (\(state.keyName(of: .activate)))"
    }
}

extension SourceStatus {
    /// Its status and age, after its name.
    func words(at now: Timestamp) -> String {
        switch condition {
        case .unread: "not read yet"
        case .read(let moment): moment.age(at: now)
        case .failed(_, let kept?): "cached \(kept.age(at: now))"
        case .failed(_, nil): "not read"
        }
    }

    /// Its status and age for small spaces.
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
