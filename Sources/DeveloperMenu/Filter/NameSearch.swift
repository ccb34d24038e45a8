import FlagModel

/// Searches one word in titles and keys, which are one run of bytes.
struct NameSearch {
    let pattern: FuzzyPattern
    let mask: LetterMask
    /// Whether the word is lower-case ASCII, which is compared with names directly.
    let isPlain: Bool
    let room: AlignmentRoom
    let subject: SearchSubject
    let word: UnsafeBufferPointer<UInt8>
    let letters: UnsafeBufferPointer<UInt8>
    let worths: UnsafeBufferPointer<UInt8>
    let starts: UnsafeBufferPointer<UInt32>
    let masks: UnsafeBufferPointer<LetterMask>

    /// The better score of title and key; `nil` if neither has the letters.
    @inline(__always)
    func score(_ number: Int) -> Int? {
        guard number < masks.count else { return unlisted(number) { $0.score() } }
        guard masks[number].holds(mask) else { return nil }
        guard isPlain else { return decoded(number) { $0.score() } }
        return larger(bytes(2 * number).score(), bytes(2 * number + 1).score())
    }

    /// The better score of title and key with the word as typed.
    func runScore(_ number: Int) -> Int? {
        guard number < masks.count else { return unlisted(number) { $0.bestRunScore() } }
        guard masks[number].holds(mask) else { return nil }
        guard isPlain else { return decoded(number) { $0.bestRunScore() } }
        return larger(bytes(2 * number).bestRunScore(), bytes(2 * number + 1).bestRunScore())
    }

    @inline(__always)
    private func larger(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }

    @inline(__always)
    private func bytes(_ text: Int) -> Alignment<UInt8> {
        let range = Int(starts[text])..<Int(starts[text + 1])
        return Alignment(
            word: word, text: UnsafeBufferPointer(rebasing: letters[range]),
            worths: UnsafeBufferPointer(rebasing: worths[range]), room: room)
    }

    // MARK: letters outside ASCII, and capitals

    private func unlisted(_ number: Int, _ body: (Alignment<UInt32>) -> Int?) -> Int? {
        let folded = FoldedText(subject.board.unlistedKeys[number - masks.count])
        let letters = FuzzyPattern.letters(of: folded, isCaseSensitive: pattern.isCaseSensitive)
        return aligned(letters, folded.worths, body)
    }

    private func decoded(_ number: Int, _ body: (Alignment<UInt32>) -> Int?) -> Int? {
        larger(decoded(text: 2 * number, body), decoded(text: 2 * number + 1, body))
    }

    private func decoded(text: Int, _ body: (Alignment<UInt32>) -> Int?) -> Int? {
        let range = Int(starts[text])..<Int(starts[text + 1])
        var decodedLetters: [UInt32] = []
        var decodedWorths: [UInt8] = []
        var offset = range.lowerBound
        for scalar in String(decoding: letters[range], as: UTF8.self).unicodeScalars {
            let isCapital = worths[offset] & LetterWorth.capitalBit != 0 && pattern.isCaseSensitive
            decodedLetters.append(isCapital ? scalar.value | FuzzyPattern.capitalBit : scalar.value)
            decodedWorths.append(worths[offset])
            offset += UTF8.width(scalar)
        }
        return aligned(decodedLetters, decodedWorths, body)
    }

    private func aligned(_ letters: [UInt32], _ worths: [UInt8], _ body: (Alignment<UInt32>) -> Int?) -> Int? {
        pattern.letters.withUnsafeBufferPointer { word in
            letters.withUnsafeBufferPointer { text in
                worths.withUnsafeBufferPointer { body(Alignment(word: word, text: text, worths: $0, room: room)) }
            }
        }
    }
}
