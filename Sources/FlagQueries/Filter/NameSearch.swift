import FlagModel

/// Searches one word in titles and keys, which ``SearchIndex`` stores as one array of bytes.
struct NameSearch {
    let pattern: FuzzyPattern
    /// The letters of the word.
    let mask: LetterMask
    /// Whether the word is lower-case ASCII, so that its bytes can be compared with the bytes of the index directly.
    let isPlain: Bool
    let table: AlignmentTable
    let target: SearchTarget
    /// The word's letters; empty unless ``isPlain``.
    let word: UnsafeBufferPointer<UInt8>
    // The arrays of the search index.
    let letters: UnsafeBufferPointer<UInt8>
    let bonuses: UnsafeBufferPointer<UInt8>
    let starts: UnsafeBufferPointer<UInt32>
    let masks: UnsafeBufferPointer<LetterMask>

    /// The better of the scores of a flag's title and key; `nil` if neither text matches.
    @inline(__always)
    func score(_ number: Int) -> Int? {
        guard number < masks.count else { return unlisted(number) { $0.score() } }
        guard masks[number].contains(mask) else { return nil }
        guard isPlain else { return decoded(number) { $0.score() } }
        return larger(alignment(2 * number).score(), alignment(2 * number + 1).score())
    }

    /// The better of the scores of the word, without gaps, in a flag's title and key; `nil` if neither text contains
    /// the word.
    func runScore(_ number: Int) -> Int? {
        guard number < masks.count else { return unlisted(number) { $0.bestRunScore() } }
        guard masks[number].contains(mask) else { return nil }
        guard isPlain else { return decoded(number) { $0.bestRunScore() } }
        return larger(alignment(2 * number).bestRunScore(), alignment(2 * number + 1).bestRunScore())
    }

    @inline(__always)
    private func larger(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }

    /// The alignment of the word with a text, given by its number: 2n is the title of flag n, 2n + 1 is the key.
    @inline(__always)
    private func alignment(_ text: Int) -> Alignment<UInt8> {
        let range = Int(starts[text])..<Int(starts[text + 1])
        return Alignment(
            word: word, text: UnsafeBufferPointer(rebasing: letters[range]),
            bonuses: UnsafeBufferPointer(rebasing: bonuses[range]), table: table)
    }

    // MARK: letters outside ASCII, and capitals

    /// The score of the key of an unlisted flag.
    private func unlisted(_ number: Int, _ body: (Alignment<UInt32>) -> Int?) -> Int? {
        let folded = FoldedText(target.board.unlistedKeys[number - masks.count])
        let letters = FuzzyPattern.letters(of: folded, isCaseSensitive: pattern.isCaseSensitive)
        return aligned(letters, folded.bonuses, body)
    }

    /// The better of the scores of a flag's title and key, decoded from bytes.
    private func decoded(_ number: Int, _ body: (Alignment<UInt32>) -> Int?) -> Int? {
        larger(decoded(text: 2 * number, body), decoded(text: 2 * number + 1, body))
    }

    private func decoded(text: Int, _ body: (Alignment<UInt32>) -> Int?) -> Int? {
        let range = Int(starts[text])..<Int(starts[text + 1])
        var decodedLetters: [UInt32] = []
        var decodedBonuses: [UInt8] = []
        var offset = range.lowerBound
        for scalar in String(decoding: letters[range], as: UTF8.self).unicodeScalars {
            let isCapital = bonuses[offset] & LetterBonus.capitalBit != 0 && pattern.isCaseSensitive
            decodedLetters.append(isCapital ? scalar.value | FuzzyPattern.capitalBit : scalar.value)
            decodedBonuses.append(bonuses[offset])
            offset += UTF8.width(scalar)
        }
        return aligned(decodedLetters, decodedBonuses, body)
    }

    private func aligned(_ letters: [UInt32], _ bonuses: [UInt8], _ body: (Alignment<UInt32>) -> Int?) -> Int? {
        pattern.letters.withUnsafeBufferPointer { word in
            letters.withUnsafeBufferPointer { text in
                bonuses.withUnsafeBufferPointer { body(Alignment(word: word, text: text, bonuses: $0, table: table)) }
            }
        }
    }
}
