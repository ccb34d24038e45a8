import FlagQueries
import TerminalUI

/// The texts of one action that the user can search, in lower case.
struct ActionText: Sendable, Equatable {
    /// The action's index in the keymap.
    let index: Int
    /// Whether help lists the action first.
    let isDaily: Bool
    /// The help sentence.
    private let sentence: String
    /// The names of the keys, and the label.
    private let names: [String]
    /// Other names of the action, such as `use remote`.
    private let synonyms: [String]
    /// The words of all synonyms.
    private let synonymWords: [Substring]

    init(_ action: Action, index: Int) {
        self.index = index
        isDaily = action.traits.contains(.isDaily)
        sentence = action.help.lowercased()
        names = (action.keys.flatMap { [$0.name, $0.displayName(charset: .unicode)] } + [action.label ?? ""])
            .map { $0.lowercased() }
        synonyms = action.words
        synonymWords = action.words.flatMap { $0.split(separator: " ") }
    }

    /// The score of the action for words in lower case, and the byte offsets of matches in its help sentence; `nil` if a
    /// word does not match.
    func match(_ words: [String]) -> (score: Int, marks: [Int])? {
        var (score, marks) = (synonyms.contains(words.joined(separator: " ")) ? 70 : 0, [Int]())
        for word in words {
            let isSynonym = synonymWords.contains(Substring(word))
            if let place = place(of: word) {
                // A whole word scores highest, so that "log" finds the log of messages before the catalog.
                score += place.isWholeWord ? 300 : place.startsWord ? 260 : isSynonym ? 240 : 200
                score += place.offset == 0 ? 60 : 0
                marks += place.offset..<place.offset + word.utf8.count
            } else if names.contains(word) {
                score += 250
            } else if isSynonym {
                score += 240
            } else if names.contains(where: { $0.contains(word) }) {
                score += 150
            } else if synonymWords.contains(where: { $0.hasPrefix(word) }) {
                score += 140
            } else if let offsets = closeLetters(of: word) {
                score += 50
                marks += offsets
            } else {
                return nil
            }
        }
        return (score, marks)
    }

    /// The byte offsets of a word's letters in the help sentence; `nil` if letters are missing, or spread over more
    /// than three times the word's length.
    private func closeLetters(of word: String) -> [Int]? {
        guard let offsets = FuzzyPattern(word).positions(in: sentence), let first = offsets.first,
            let last = offsets.last, last - first < 3 * offsets.count
        else { return nil }
        return offsets
    }

    /// The best match of a word in the help sentence: a whole word, else the start of a word, else a part of a word;
    /// `nil` if the sentence does not contain the word.
    private func place(of word: String) -> (offset: Int, startsWord: Bool, isWholeWord: Bool)? {
        let letters: ClosedRange<Character> = "a"..."z"
        let places = sentence.ranges(of: word).map { range in
            let startsWord = sentence[..<range.lowerBound].last.map { !letters.contains($0) } ?? true
            let endsWord = sentence[range.upperBound...].first.map { !letters.contains($0) } ?? true
            let offset = sentence[..<range.lowerBound].utf8.count
            return (offset: offset, startsWord: startsWord, isWholeWord: startsWord && endsWord)
        }
        return places.first(where: \.isWholeWord) ?? places.first(where: \.startsWord) ?? places.first
    }
}
