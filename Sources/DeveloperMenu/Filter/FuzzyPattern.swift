import FlagModel

/// A word to search by its letters in order, with gaps, as fzf does.
///
/// Case counts only if the word has a capital letter ("smart case"); accents never do.
public struct FuzzyPattern: Sendable, Equatable {
    /// The letters, folded; capitals have the capital bit if case counts.
    let letters: [UInt32]
    /// The letters of a word in lower-case ASCII, for texts that are stored as bytes.
    let bytes: [UInt8]?
    /// The letters that a text must have, as a set.
    let mask: LetterMask
    let isCaseSensitive: Bool

    /// A pattern from one typed word.
    public init(_ word: String) {
        let folded = FoldedText(word)
        isCaseSensitive = folded.worths.contains { $0 & LetterWorth.capitalBit != 0 }
        letters = Self.letters(of: folded, isCaseSensitive: isCaseSensitive)
        let isPlain = !isCaseSensitive && letters.allSatisfy { $0 < 0x80 }
        bytes = isPlain ? letters.map { UInt8(truncatingIfNeeded: $0) } : nil
        mask = LetterMask(folded)
    }

    static let capitalBit: UInt32 = 1 << 31

    static func letters(of text: FoldedText, isCaseSensitive: Bool) -> [UInt32] {
        guard isCaseSensitive else { return text.letters }
        return zip(text.letters, text.worths).map { $1 & LetterWorth.capitalBit != 0 ? $0 | capitalBit : $0 }
    }

    /// The score of the text, larger is better; `nil` if it does not match.
    func score(in text: FlagText) -> Int? { aligning(FoldedText(text.string)) { $0.score() } }

    /// The score of the word as typed in the text; `nil` if it is not in the text.
    func runScore(in text: FlagText) -> Int? {
        aligning(FoldedText(text.string)) { $0.bestRunScore() }
    }

    /// `true` if the text contains the word as typed.
    func isContained(in text: FlagText) -> Bool { letters.isEmpty || runScore(in: text) != nil }

    /// The byte offsets of the matched letters; `nil` if the text does not match.
    public func positions(in text: String) -> [Int]? {
        let folded = FoldedText(text)
        return aligning(folded) { $0.positions() }?.map { folded.offsets[$0] }
    }

    /// The byte offsets of the word as typed in the text; `nil` if it is not in the text.
    func runPositions(in text: String) -> [Int]? {
        let folded = FoldedText(text)
        return aligning(folded) { $0.bestRun() }.map { folded.offsets[$0..<$0 + letters.count] }.map(Array.init)
    }

    private func aligning<Result>(_ text: FoldedText, _ body: (Alignment<UInt32>) -> Result) -> Result {
        let textLetters = Self.letters(of: text, isCaseSensitive: isCaseSensitive)
        let room = AlignmentRoom(letters: letters.count)
        defer { room.deallocate() }
        return letters.withUnsafeBufferPointer { word in
            textLetters.withUnsafeBufferPointer { letters in
                text.worths.withUnsafeBufferPointer {
                    body(Alignment(word: word, text: letters, worths: $0, room: room))
                }
            }
        }
    }
}

/// A set of letters as bits: texts that cannot match are skipped without reading them.
struct LetterMask: Sendable, Equatable {
    private(set) var bits: UInt64 = 0

    init() {}

    init(_ text: FoldedText) {
        for letter in text.letters { insert(letter) }
    }

    @inline(__always)
    mutating func insert(_ letter: UInt32) {
        switch letter {
        case 0x61...0x7A: bits |= 1 << UInt64(letter - 0x61)
        case 0x30...0x39: bits |= 1 << UInt64(26 + letter - 0x30)
        case ..<0x80: bits |= 1 << UInt64(36 + letter % 27)
        default: bits |= 1 << 63
        }
    }

    /// Whether this set contains every letter of another.
    @inline(__always)
    func holds(_ other: LetterMask) -> Bool { other.bits & ~bits == 0 }

    /// Whether there is any letter outside ASCII.
    var hasOthers: Bool { bits >> 63 != 0 }
}
