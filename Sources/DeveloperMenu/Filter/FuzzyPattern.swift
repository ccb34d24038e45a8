import FlagModel

/// A word to look for by its letters in order, gaps allowed, as fzf does.
///
/// Case counts only where the word has a capital letter ("smart case"); accents never do.
public struct FuzzyPattern: Sendable, Equatable {
    /// The letters, folded; capitals have the capital bit where case counts.
    let letters: [UInt32]
    /// The letters of a word in small ASCII, for texts that are kept as bytes.
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

    /// How well the text matches, larger is better; `nil` when it does not.
    func score(in text: FlagText) -> Int? { aligning(FoldedText(text.string)) { $0.score() } }

    /// The score of the word where it stands in the text as typed; `nil` where it does not.
    func runScore(in text: FlagText) -> Int? {
        aligning(FoldedText(text.string)) { $0.bestRunScore() }
    }

    /// `true` when the word stands in the text as typed.
    func isContained(in text: FlagText) -> Bool { letters.isEmpty || runScore(in: text) != nil }

    /// The byte offsets of the matched letters; `nil` when the text does not match.
    public func positions(in text: String) -> [Int]? {
        let folded = FoldedText(text)
        return aligning(folded) { $0.positions() }?.map { folded.offsets[$0] }
    }

    /// The byte offsets of the word where it stands in the text as typed; `nil` where it does not.
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

/// A set of letters in one number: what cannot match is told apart without a look at its text.
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

    /// Whether every letter of another set is in this one.
    @inline(__always)
    func holds(_ other: LetterMask) -> Bool { other.bits & ~bits == 0 }

    /// Whether there is any letter outside ASCII.
    var hasOthers: Bool { bits >> 63 != 0 }
}
