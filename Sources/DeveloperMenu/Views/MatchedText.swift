import FlagModel
import TerminalUI

/// Text with the filter's matches marked.
struct MatchedText {
    /// The words to search.
    let words: [FlagQuery.Word]

    init(words: [FlagQuery.Word]) { self.words = words }

    /// The words of the current filter.
    init(_ state: MenuState) { words = FlagQuery(state.list.filter.text).markedWords }

    /// The kind of text for the search: names match by scattered letters, everything else by words as typed.
    enum Kind { case name, prose }

    /// The text in parts of the two styles.
    func line(_ text: String, _ kind: Kind = .name, style: Style, match: Style) -> StyledLine {
        let marked = Set(words.flatMap { $0.positions(in: text, kind) })
        guard !marked.isEmpty else { return StyledLine(text, style) }
        var line = StyledLine()
        var part = ""
        var isMarked = false
        var offset = 0
        for character in text {
            let end = offset + character.utf8.count
            let isMatch = (offset..<end).contains(where: marked.contains)
            if isMatch != isMarked, !part.isEmpty {
                line = line.adding(part, isMarked ? match : style)
                part = ""
            }
            isMarked = isMatch
            part.append(character)
            offset = end
        }
        return line.adding(part, isMarked ? match : style)
    }
}

extension FlagQuery.Word {
    /// The bytes at which the word's letters start; empty if the text does not match.
    fileprivate func positions(in text: String, _ kind: MatchedText.Kind) -> [Int] {
        (isQuoted || kind == .prose ? pattern.runPositions(in: text) : pattern.positions(in: text)) ?? []
    }

    fileprivate func score(in text: FlagText) -> Int? {
        isQuoted ? pattern.runScore(in: text) : pattern.score(in: text)
    }

    /// Whether a flag matched by its value.
    func isFound(inValue value: String, of facts: FlagFacts) -> Bool {
        guard pattern.isContained(in: FlagText(value)) else { return false }
        let best = max(score(in: FlagText(facts.name)) ?? 0, score(in: FlagText(facts.key)) ?? 0)
        return !Scoring.isGood(best, letters: pattern.letters.count)
    }
}

/// Why a flag is listed if its name does not show it: another text that contains a word.
struct MatchEvidence {
    /// The text, cut so that the word is in view.
    let text: String
    /// Its kind for the search.
    let kind: MatchedText.Kind

    /// - Parameters:
    ///   - matched: the words to search.
    ///   - facts: the flag.
    ///   - shownValue: its value as the list shows it, which is not repeated if it shows enough.
    ///   - columns: the room for the text.
    init?(_ matched: MatchedText, facts: FlagFacts, shownValue: String, columns: Int, charset: Charset) {
        for word in matched.words {
            guard let (found, kind) = Self.text(for: word, facts, shownValue) else { continue }
            text = Self.cut(found, kind, word: word, columns: columns, charset: charset)
            self.kind = kind
            return
        }
        return nil
    }

    /// A value in so many columns, cut so that a matching word is in view; `nil` if there is none.
    static func value(
        _ value: String, of facts: FlagFacts, _ matched: MatchedText, columns: Int, charset: Charset
    ) -> String? {
        guard let word = matched.words.first(where: { $0.isFound(inValue: value, of: facts) }) else { return nil }
        let text = cut(value, .prose, word: word, columns: columns, charset: charset)
        return DisplayText.clipped(text, to: columns, charset: charset)
    }

    /// The text that contains a word, unless the name or the value on the screen does.
    private static func text(
        for word: FlagQuery.Word, _ facts: FlagFacts, _ shownValue: String
    ) -> (String, MatchedText.Kind)? {
        let name = word.score(in: FlagText(facts.name)) ?? 0
        let key = facts.name == facts.key ? 0 : word.score(in: FlagText(facts.key)) ?? 0
        let isNameGood = Scoring.isGood(max(name, key), letters: word.pattern.letters.count)
        if isNameGood { return key > name ? (facts.key, .name) : nil }
        if let value = facts.value, word.pattern.isContained(in: FlagText(value)) {
            return word.pattern.isContained(in: FlagText(shownValue)) ? nil : (value, .prose)
        }
        if let details = facts.item?.details, word.pattern.isContained(in: details) { return (details.string, .prose) }
        return key > name ? (facts.key, .name) : nil
    }

    /// The part of a text around the first letter of a word, from the start of a word on.
    private static func cut(
        _ text: String, _ kind: MatchedText.Kind, word: FlagQuery.Word, columns: Int, charset: Charset
    ) -> String {
        let positions = word.positions(in: text, kind)
        guard let first = positions.first, let last = positions.last else { return text }
        if last < columns - 2 || DisplayText.fits(text, columns: columns, charset: charset) { return text }
        // Some words before it show the topic.
        let target = text.utf8.index(text.startIndex, offsetBy: first)
        let back = text.index(target, offsetBy: -columns / 3, limitedBy: text.startIndex) ?? text.startIndex
        let space = text[back..<target].firstIndex(where: \.isWhitespace)
        let start = space.map { text.index(after: $0) } ?? back
        return (start > text.startIndex ? charset.ellipsis : "") + text[start...]
    }
}
