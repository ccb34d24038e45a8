import FlagQueries
import TerminalUI

// The search for actions: by the help sentence, the names of the keys, the label and the synonyms.
extension Action {
    /// The score of the action for words in lower case, and the byte offsets of matches in its help sentence; `nil` if a
    /// word does not match.
    func match(_ words: [String]) -> (score: Int, marks: [Int])? {
        let sentence = help.lowercased()
        let names = (keys.flatMap { [$0.name, $0.displayName(charset: .unicode)] } + [label ?? ""])
            .map { $0.lowercased() }
        let synonymWords = self.words.flatMap { $0.split(separator: " ") }
        var (score, marks) = (self.words.contains(words.joined(separator: " ")) ? 70 : 0, [Int]())
        for word in words {
            let isSynonym = synonymWords.contains(Substring(word))
            if let place = Self.place(of: word, in: sentence) {
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
            } else if let offsets = Self.closeLetters(of: word, in: sentence) {
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
    private static func closeLetters(of word: String, in sentence: String) -> [Int]? {
        guard let offsets = FuzzyPattern(word).positions(in: sentence), let first = offsets.first,
            let last = offsets.last, last - first < 3 * offsets.count
        else { return nil }
        return offsets
    }

    /// The best match of a word in the help sentence: a whole word, else the start of a word, else a part of a word;
    /// `nil` if the sentence does not contain the word.
    private static func place(
        of word: String, in sentence: String
    ) -> (offset: Int, startsWord: Bool, isWholeWord: Bool)? {
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
