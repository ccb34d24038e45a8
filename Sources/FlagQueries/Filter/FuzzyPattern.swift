package import FlagModel

/// A word to search: a text matches if it has the word's letters in order, with gaps, as in fzf.
///
/// The search is case-sensitive only if the word has a capital letter ("smart case"). Accents are always ignored.
public struct FuzzyPattern: Sendable, Equatable {
    /// The letters of the word, without the bits that are not compared.
    let letters: [UInt32]
    /// The bits of a letter that are compared.
    private let mask: UInt32
    /// The ``Letter/setBit``s of the word.
    let letterSet: UInt64

    /// A pattern from one typed word.
    public init(_ word: String) {
        let letters = [Letter](of: word)
        let mask = letters.contains(where: \.isCapital) ? Letter.casedBits : Letter.scalarBits
        (self.letters, self.mask) = (letters.map { $0.bits & mask }, mask)
        letterSet = letters.reduce(0) { $0 | $1.setBit }
    }

    /// The score of a text, larger is better; `nil` if the text does not match.
    func score(in text: FlagText) -> Int? { aligning(text.string) { $0.score() } }

    /// The score of the word, without gaps, in a text; `nil` if the text does not contain the word.
    func runScore(in text: FlagText) -> Int? { aligning(text.string) { $0.bestRunScore() } }

    /// Whether the text contains the word without gaps.
    package func isContained(in text: FlagText) -> Bool { letters.isEmpty || runScore(in: text) != nil }

    /// The byte offsets of the matched letters in a text; `nil` if the text does not match.
    public func positions(in text: String) -> [Int]? {
        guard let positions = aligning(text, { $0.positions() }) else { return nil }
        let offsets = [Letter].offsets(in: text)
        return positions.map { offsets[$0] }
    }

    /// The byte offsets of the word's letters, without gaps, in a text; `nil` if the text does not contain the word.
    package func runPositions(in text: String) -> [Int]? {
        guard let run = aligning(text, { $0.bestRun() }) else { return nil }
        return Array([Letter].offsets(in: text)[run..<run + letters.count])
    }

    private func aligning<Result>(_ text: String, _ body: (Alignment) -> Result) -> Result {
        let table = AlignmentTable(letters: letters.count)
        return [Letter](of: text).withUnsafeBufferPointer { aligning($0, table, body) }
    }

    /// Calls a function with the alignment of the word with a text. The alignment must not escape.
    @inline(__always)
    func aligning<Result>(
        _ text: UnsafeBufferPointer<Letter>, _ table: AlignmentTable, _ body: (Alignment) -> Result
    ) -> Result {
        letters.withUnsafeBufferPointer { body(Alignment(word: $0, text: text, mask: mask, table: table)) }
    }
}
