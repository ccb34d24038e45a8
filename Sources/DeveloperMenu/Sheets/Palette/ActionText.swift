import TerminalUI

/// A word to search in the table of actions.
struct ActionWord {
    let bytes: [UInt8]
    let pattern: FuzzyPattern

    init(_ word: String) {
        let word = word.lowercased()
        bytes = Array(word.utf8)
        pattern = FuzzyPattern(word)
    }
}

/// The searched texts of one action, all in lower case.
struct ActionText: Sendable, Equatable {
    /// The action's index in the keymap, and its part.
    let index: Int
    let part: MenuPart
    /// Whether help lists it first.
    let isDaily: Bool
    private let sentence: String
    private let bytes: [UInt8]
    /// Keys and label, whose whole matches score most.
    private let names: [[UInt8]]
    private let heading: [UInt8]
    /// Other names, whole and by word.
    private let synonyms: [[UInt8]]
    private let synonymWords: [[UInt8]]

    init(_ action: Action, index: Int) {
        self.index = index
        part = action.part
        isDaily = action.traits.contains(.isDaily)
        sentence = action.help.lowercased()
        bytes = Array(sentence.utf8)
        heading = Array(action.part.heading.lowercased().utf8)
        names = (action.keys.flatMap { [$0.name, $0.displayName(charset: .unicode)] } + [action.label ?? ""])
            .map { Array($0.lowercased().utf8) }
        synonyms = action.words.map { Array($0.utf8) }
        synonymWords = action.words.flatMap { $0.split(separator: " ") }.map { Array($0.utf8) }
    }

    /// How well the action matches words, and which bytes of its sentence do; `nil` if it does not match them all.
    func match(_ words: [ActionWord]) -> (score: Int, marks: [Int])? {
        var (score, marks) = (synonyms.contains(Array(words.map(\.bytes).joined(separator: [0x20]))) ? 70 : 0, [Int]())
        for word in words {
            let isSynonym = synonymWords.contains(word.bytes)
            if let place = Self.place(of: word.bytes, in: bytes) {
                // "log" means the messages rather than the catalog.
                score += place.isWord ? 300 : place.isAtWord ? 260 : isSynonym ? 240 : 200
                score += place.offset == 0 ? 60 : 0
                marks += place.offset..<place.offset + word.bytes.count
            } else if names.contains(word.bytes) {
                score += 250
            } else if isSynonym {
                score += 240
            } else if names.contains(where: { Self.place(of: word.bytes, in: $0) != nil })
                || Self.place(of: word.bytes, in: heading) != nil
            {
                score += 150
            } else if synonymWords.contains(where: { $0.starts(with: word.bytes) }) {
                score += 140
            } else if let tight = tight(word) {
                score += 50
                marks += tight
            } else {
                return nil
            }
        }
        return (score, marks)
    }

    /// Letters scattered over a whole sentence are not a useful match.
    private func tight(_ word: ActionWord) -> [Int]? {
        guard word.bytes.count <= bytes.count, let found = word.pattern.positions(in: sentence),
            let first = found.first, let last = found.last, last - first < 3 * found.count
        else { return nil }
        return found
    }

    /// The place of a word in a text, preferably as a whole word, else at the start of one.
    private static func place(of word: [UInt8], in text: [UInt8]) -> (offset: Int, isAtWord: Bool, isWord: Bool)? {
        guard let letter = word.first, text.count >= word.count else { return nil }
        var (inside, atWord): (Int?, Int?) = (nil, nil)
        for start in 0...(text.count - word.count) where text[start] == letter {
            guard text[start..<start + word.count].elementsEqual(word) else { continue }
            let end = start + word.count
            guard start == 0 || !(0x61...0x7A).contains(text[start - 1]) else {
                inside = inside ?? start
                continue
            }
            if end == text.count || !(0x61...0x7A).contains(text[end]) { return (start, true, true) }
            atWord = atWord ?? start
        }
        return atWord.map { ($0, true, false) } ?? inside.map { ($0, false, false) }
    }
}
