package import FlagModel

/// A word to search: a text matches if it has the word's letters in order, with gaps, as in fzf.
///
/// The search is case-sensitive only if the word has a capital letter ("smart case"). Accents are always ignored.
public struct FuzzyPattern: Sendable, Equatable {
    /// The folded letters. If the search is case-sensitive, capitals have the capital bit.
    let letters: [UInt32]
    /// The letters as bytes, to compare with the bytes of the index; `nil` unless the word is lower-case ASCII.
    let bytes: [UInt8]?
    /// The set of the word's letters. A matching text has all of them.
    let mask: LetterMask
    let isCaseSensitive: Bool

    /// A pattern from one typed word.
    public init(_ word: String) {
        let folded = FoldedText(word)
        isCaseSensitive = folded.bonuses.contains { $0 & LetterBonus.capitalBit != 0 }
        letters = Self.letters(of: folded, isCaseSensitive: isCaseSensitive)
        let isPlain = !isCaseSensitive && letters.allSatisfy { $0 < 0x80 }
        bytes = isPlain ? letters.map { UInt8(truncatingIfNeeded: $0) } : nil
        mask = LetterMask(folded)
    }

    /// The bit that marks a capital in a case-sensitive search.
    static let capitalBit: UInt32 = 1 << 31

    /// The letters of a text in the form that is compared: with the capital bit if the search is case-sensitive.
    static func letters(of text: FoldedText, isCaseSensitive: Bool) -> [UInt32] {
        guard isCaseSensitive else { return text.letters }
        return zip(text.letters, text.bonuses).map { $1 & LetterBonus.capitalBit != 0 ? $0 | capitalBit : $0 }
    }

    /// The score of a text, larger is better; `nil` if the text does not match.
    func score(in text: FlagText) -> Int? { aligning(FoldedText(text.string)) { $0.score() } }

    /// The score of the word, without gaps, in a text; `nil` if the text does not contain the word.
    func runScore(in text: FlagText) -> Int? {
        aligning(FoldedText(text.string)) { $0.bestRunScore() }
    }

    /// Whether the text contains the word without gaps.
    package func isContained(in text: FlagText) -> Bool { letters.isEmpty || runScore(in: text) != nil }

    /// The byte offsets of the matched letters in a text; `nil` if the text does not match.
    public func positions(in text: String) -> [Int]? {
        let folded = FoldedText(text)
        return aligning(folded) { $0.positions() }?.map { folded.offsets[$0] }
    }

    /// The byte offsets of the word's letters, without gaps, in a text; `nil` if the text does not contain the word.
    package func runPositions(in text: String) -> [Int]? {
        let folded = FoldedText(text)
        return aligning(folded) { $0.bestRun() }.map { folded.offsets[$0..<$0 + letters.count] }.map(Array.init)
    }

    private func aligning<Result>(_ text: FoldedText, _ body: (Alignment<UInt32>) -> Result) -> Result {
        let textLetters = Self.letters(of: text, isCaseSensitive: isCaseSensitive)
        let table = AlignmentTable(letters: letters.count)
        defer { table.deallocate() }
        return letters.withUnsafeBufferPointer { word in
            textLetters.withUnsafeBufferPointer { letters in
                text.bonuses.withUnsafeBufferPointer {
                    body(Alignment(word: word, text: letters, bonuses: $0, table: table))
                }
            }
        }
    }
}

/// A set of letters as bits. A search skips texts that lack a letter of the word, without reading the texts.
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

    /// Whether this set contains every letter of another set.
    @inline(__always)
    func contains(_ other: LetterMask) -> Bool { other.bits & ~bits == 0 }

    /// Whether the set has a letter outside ASCII.
    var hasNonASCII: Bool { bits >> 63 != 0 }
}
