import FlagModel

/// Searches one word in one flag after another.
///
/// Names match by scattered letters. Values and descriptions are so long that they contain scattered letters of most
/// words, so they must contain the word itself. A match scores less in a value than in a name, and even less in a
/// description; but a word in a description ranks above letters scattered over a name.
final class WordSearch {
    private let word: FlagQuery.Word
    private let pattern: FuzzyPattern
    private let target: SearchTarget
    private let table: AlignmentTable
    /// The score of each distinct value: ``unknown`` until it is needed, ``none`` if the value does not match.
    private var valueScores: [Int32]
    private static let unknown: Int32 = -2
    private static let none: Int32 = -1

    init(_ word: FlagQuery.Word, target: SearchTarget) {
        self.word = word
        self.target = target
        pattern = word.pattern
        valueScores = Array(repeating: Self.unknown, count: target.index.values.count)
        table = AlignmentTable(letters: word.pattern.letters.count)
    }

    deinit { table.deallocate() }

    /// Removes the flags that do not match, and adds the scores of the others.
    func narrow(_ matches: inout Matches) {
        let letterCount = pattern.letters.count
        withNames { names in
            matches.addScores { number in
                let nameScore = word.isQuoted ? names.runScore(number) : names.score(number)
                if let nameScore, Scoring.isGood(nameScore, letters: letterCount) { return nameScore }
                return bestScore(number, nameScore: nameScore)
            }
        }
    }

    /// Removes the flags that contain the word. Flags that only have its scattered letters stay.
    func exclude(from matches: inout Matches) {
        withNames { names in
            matches.keep { number in
                names.runScore(number) == nil && valueScore(number) == nil && detailsScore(number) == nil
            }
        }
    }

    /// The best of the scores of a flag's name, value and description; `nil` if none matches.
    private func bestScore(_ number: Int, nameScore: Int?) -> Int? {
        var best = nameScore
        if let value = valueScore(number) { best = max(best ?? 0, value - Scoring.value, 1) }
        if let details = detailsScore(number) { best = max(best ?? 0, details - Scoring.details, 1) }
        return best
    }

    /// Calls a function with a search of names. The search borrows the arrays of the index and must not escape.
    private func withNames(_ body: (NameSearch) -> Void) {
        let index = target.index
        (pattern.bytes ?? []).withUnsafeBufferPointer { word in
            index.letters.withUnsafeBufferPointer { letters in
                index.bonuses.withUnsafeBufferPointer { bonuses in
                    index.starts.withUnsafeBufferPointer { starts in
                        index.nameMasks.withUnsafeBufferPointer { masks in
                            body(
                                NameSearch(
                                    pattern: pattern, mask: pattern.mask, isPlain: pattern.bytes != nil, table: table,
                                    target: target, word: word, letters: letters, bonuses: bonuses, starts: starts,
                                    masks: masks))
                        }
                    }
                }
            }
        }
    }

    // MARK: values and descriptions

    private func valueScore(_ number: Int) -> Int? {
        if target.isSpecial(number) {
            let facts = target.facts(number)
            return facts.explanation.value.flatMap { value in
                pattern.runScore(in: facts.item?.searched(value, type: facts.type) ?? value)
            }
        }
        let position = target.index.valuePositions[number]
        guard position != SearchIndex.noValue else { return nil }
        var score = valueScores[Int(position)]
        if score == Self.unknown {
            score = pattern.runScore(in: target.index.values[Int(position)]).map { Int32($0) } ?? Self.none
            valueScores[Int(position)] = score
        }
        return score == Self.none ? nil : Int(score)
    }

    private func detailsScore(_ number: Int) -> Int? {
        guard number < target.index.itemCount else { return nil }
        let mask = target.index.detailMasks[number]
        guard mask.contains(pattern.mask), let details = target.index.details[number] else { return nil }
        guard let bytes = pattern.bytes, !mask.hasNonASCII else { return pattern.runScore(in: details) }
        return details.withUTF8 { text in
            bytes.withUnsafeBufferPointer { RunInText(word: $0, text: text).score() }
        }
    }
}

/// A search of a word, without gaps, in an ASCII text that is not folded.
private struct RunInText {
    let word: UnsafeBufferPointer<UInt8>
    let text: UnsafeBufferPointer<UInt8>

    /// The score of the first occurrence of the word at the start of a word of the text, otherwise of an occurrence
    /// inside a word; `nil` if the text does not contain the word.
    func score() -> Int? {
        guard text.count >= word.count else { return nil }
        let (first, last) = (word[0], text.count - word.count)
        var isInside = false
        var start = 0
        while start <= last {
            if LetterFolding.small(text[start]) == first, isAligned(at: start) {
                let bonus = bonus(start)
                if bonus >= Int(LetterBonus.hump) { return Scoring.run(letters: word.count, bonus: bonus) }
                isInside = true
            }
            start += 1
        }
        return isInside ? Scoring.run(letters: word.count, bonus: 0) : nil
    }

    private func isAligned(at start: Int) -> Bool {
        var index = 1
        while index < word.count {
            if LetterFolding.small(text[start + index]) != word[index] { return false }
            index += 1
        }
        return true
    }

    private func bonus(_ index: Int) -> Int {
        let previous = index == 0 ? LetterBonus.Kind.none : LetterBonus.Kind(text[index - 1])
        return Int(LetterBonus.of(LetterBonus.Kind(text[index]), after: previous) & LetterBonus.bonusBits)
    }
}
