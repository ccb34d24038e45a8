import FlagQueries
import TerminalUI

/// A typed word to search in the texts of actions, in lower case.
struct ActionWord {
    let bytes: [UInt8]
    let pattern: FuzzyPattern

    init(_ word: String) {
        let word = word.lowercased()
        bytes = Array(word.utf8)
        pattern = FuzzyPattern(word)
    }
}

/// The texts of one action that the user can search, in lower case. Byte arrays are in UTF-8.
struct ActionText: Sendable, Equatable {
    /// The action's index in the keymap.
    let index: Int
    /// Whether help lists the action first.
    let isDaily: Bool
    /// The help sentence.
    private let sentence: String
    /// The help sentence in UTF-8.
    private let bytes: [UInt8]
    /// The names of the keys, and the label.
    private let names: [[UInt8]]
    /// Other names of the action, such as `use remote`.
    private let synonyms: [[UInt8]]
    /// The words of all synonyms.
    private let synonymWords: [[UInt8]]

    init(_ action: Action, index: Int) {
        self.index = index
        isDaily = action.traits.contains(.isDaily)
        sentence = action.help.lowercased()
        bytes = Array(sentence.utf8)
        names = (action.keys.flatMap { [$0.name, $0.displayName(charset: .unicode)] } + [action.label ?? ""])
            .map { Array($0.lowercased().utf8) }
        synonyms = action.words.map { Array($0.utf8) }
        synonymWords = action.words.flatMap { $0.split(separator: " ") }.map { Array($0.utf8) }
    }

    /// The score of the action for words, and the byte offsets of matches in its help sentence; `nil` if a word does
    /// not match.
    func match(_ words: [ActionWord]) -> (score: Int, marks: [Int])? {
        var (score, marks) = (synonyms.contains(Array(words.map(\.bytes).joined(separator: [0x20]))) ? 70 : 0, [Int]())
        for word in words {
            let isSynonym = synonymWords.contains(word.bytes)
            if let place = Self.place(of: word.bytes, in: bytes) {
                // A whole word scores highest, so that "log" finds the log of messages before the catalog.
                score += place.isWholeWord ? 300 : place.startsWord ? 260 : isSynonym ? 240 : 200
                score += place.offset == 0 ? 60 : 0
                marks += place.offset..<place.offset + word.bytes.count
            } else if names.contains(word.bytes) {
                score += 250
            } else if isSynonym {
                score += 240
            } else if names.contains(where: { Self.place(of: word.bytes, in: $0) != nil }) {
                score += 150
            } else if synonymWords.contains(where: { $0.starts(with: word.bytes) }) {
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
    private func closeLetters(of word: ActionWord) -> [Int]? {
        guard word.bytes.count <= bytes.count, let offsets = word.pattern.positions(in: sentence),
            let first = offsets.first, let last = offsets.last, last - first < 3 * offsets.count
        else { return nil }
        return offsets
    }

    /// The best match of a word in a text: a whole word, else the start of a word, else a part of a word; `nil` if the
    /// text does not contain the word.
    private static func place(
        of word: [UInt8], in text: [UInt8]
    ) -> (offset: Int, startsWord: Bool, isWholeWord: Bool)? {
        guard let firstByte = word.first, text.count >= word.count else { return nil }
        var (insideWord, atWordStart): (Int?, Int?) = (nil, nil)
        for start in 0...(text.count - word.count) where text[start] == firstByte {
            guard text[start..<start + word.count].elementsEqual(word) else { continue }
            let end = start + word.count
            guard start == 0 || !(0x61...0x7A).contains(text[start - 1]) else {
                insideWord = insideWord ?? start
                continue
            }
            if end == text.count || !(0x61...0x7A).contains(text[end]) { return (start, true, true) }
            atWordStart = atWordStart ?? start
        }
        return atWordStart.map { ($0, true, false) } ?? insideWord.map { ($0, false, false) }
    }
}
