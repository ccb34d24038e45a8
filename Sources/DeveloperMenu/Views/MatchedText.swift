import FlagModel
import FlagQueries
import TerminalUI

/// Text with the filter's matches marked.
struct MatchedText {
    /// The words to search.
    var words: [FlagQuery.Word]
    private let match: Style
    private let charset: Charset

    /// Marks the words of the current filter.
    init(_ state: MenuState) {
        words = FlagQuery(state.list.filter.text).markedWords
        (match, charset) = (state.theme.match, state.charset)
    }

    /// How words match in a text: in a name by scattered letters, in prose only without gaps.
    enum Kind { case name, prose }

    /// The text with matched letters marked, and all others in a style.
    func line(_ text: String, _ kind: Kind = .name, style: Style) -> StyledLine {
        let marked = Set(words.flatMap { $0.positions(in: text, kind) })
        // Most texts are drawn without a filter, so their characters are not looked at.
        guard !marked.isEmpty else { return StyledLine(text, style) }
        return StyledLine(text, marking: marked, style: style, match: match)
    }
}

extension FlagQuery.Word {
    /// The byte offsets of the matched letters in a text; empty if the text does not match.
    fileprivate func positions(in text: String, _ kind: MatchedText.Kind) -> [Int] {
        (isQuoted || kind == .prose ? pattern.runPositions(in: text) : pattern.positions(in: text)) ?? []
    }
}

// Texts that show why a flag matches the filter.
extension MatchedText {
    /// A text with a matching word in view, if neither the flag's name nor its value in the row shows the match.
    ///
    /// - Parameters:
    ///   - shownValue: the flag's value as the list shows it, perhaps cut.
    ///   - columns: the room for the text.
    func evidence(of facts: FlagFacts, shownValue: String, columns: Int, style: Style) -> StyledLine? {
        for word in words {
            guard let (text, kind) = Self.text(for: word, facts, shownValue) else { continue }
            return line(cut(text, kind, word: word, columns: columns), kind, style: style)
        }
        return nil
    }

    /// A value cut to a number of columns so that a matching word is in view; `nil` if no word matches the value.
    func value(_ value: String, of facts: FlagFacts, columns: Int) -> String? {
        guard let word = words.first(where: { $0.matchesValue(value, of: facts) }) else { return nil }
        return DisplayText.clipped(cut(value, .prose, word: word, columns: columns), to: columns, charset: charset)
    }

    /// The text that shows why a flag matches a word: its key, value or description; `nil` if the name or the shown
    /// value already shows it.
    private static func text(for word: FlagQuery.Word, _ facts: FlagFacts, _ shownValue: String) -> (String, Kind)? {
        let nameScore = word.score(in: FlagText(facts.name)) ?? 0
        let keyScore = facts.name == facts.key ? 0 : word.score(in: FlagText(facts.key)) ?? 0
        if word.isGood(max(nameScore, keyScore)) { return keyScore > nameScore ? (facts.key, .name) : nil }
        if let value = facts.value, word.pattern.isContained(in: FlagText(value)) {
            return word.pattern.isContained(in: FlagText(shownValue)) ? nil : (value, .prose)
        }
        if let details = facts.item?.details, word.pattern.isContained(in: details) { return (details.string, .prose) }
        return keyScore > nameScore ? (facts.key, .name) : nil
    }

    /// The text, with its beginning cut off at a word boundary if the match would otherwise be out of view.
    private func cut(_ text: String, _ kind: Kind, word: FlagQuery.Word, columns: Int) -> String {
        let positions = word.positions(in: text, kind)
        guard let first = positions.first, let last = positions.last else { return text }
        if last < columns - 2 || DisplayText.fits(text, columns: columns, charset: charset) { return text }
        // Keep a few words before the match for context.
        let target = text.utf8.index(text.startIndex, offsetBy: first)
        let back = text.index(target, offsetBy: -columns / 3, limitedBy: text.startIndex) ?? text.startIndex
        let space = text[back..<target].firstIndex(where: \.isWhitespace)
        let start = space.map { text.index(after: $0) } ?? back
        return (start > text.startIndex ? charset.ellipsis : "") + text[start...]
    }
}
