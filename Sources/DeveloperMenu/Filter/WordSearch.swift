import FlagModel

/// Searches one word in one flag after another.
///
/// Names match by scattered letters; values and descriptions, which are long enough to contain any letters, only by the
/// word as typed. All have the same scoring, and a value scores a little less than a name, a description less again: so
/// a whole word in a description comes before letters scattered over a name.
final class WordSearch {
    private let word: FlagQuery.Word
    private let pattern: FuzzyPattern
    private let subject: SearchSubject
    private let room: AlignmentRoom
    /// The score of each distinct value; computed a single time.
    private var valueScores: [Int32]
    private static let unknown: Int32 = -2
    private static let none: Int32 = -1

    init(_ word: FlagQuery.Word, subject: SearchSubject) {
        self.word = word
        self.subject = subject
        pattern = word.pattern
        valueScores = Array(repeating: Self.unknown, count: subject.index.values.count)
        room = AlignmentRoom(letters: word.pattern.letters.count)
    }

    deinit { room.deallocate() }

    /// Keeps the flags that match, and adds their scores.
    func narrow(_ matches: inout Matches) {
        let letterCount = pattern.letters.count
        withNames { names in
            matches.addScores { number in
                let name = word.isQuoted ? names.runScore(number) : names.score(number)
                if let name, Scoring.isGood(name, letters: letterCount) { return name }
                return bestScore(number, name: name)
            }
        }
    }

    /// Removes the flags that contain the word as typed. Exclusion does not use scattered letters.
    func exclude(from matches: inout Matches) {
        withNames { names in
            matches.keep { number in
                names.runScore(number) == nil && valueScore(number) == nil && detailsScore(number) == nil
            }
        }
    }

    private func bestScore(_ number: Int, name: Int?) -> Int? {
        var best = name
        if let value = valueScore(number) { best = max(best ?? 0, value - Scoring.value, 1) }
        if let details = detailsScore(number) { best = max(best ?? 0, details - Scoring.details, 1) }
        return best
    }

    private func withNames(_ body: (NameSearch) -> Void) {
        let index = subject.index
        (pattern.bytes ?? []).withUnsafeBufferPointer { word in
            index.letters.withUnsafeBufferPointer { letters in
                index.worths.withUnsafeBufferPointer { worths in
                    index.starts.withUnsafeBufferPointer { starts in
                        index.nameMasks.withUnsafeBufferPointer { masks in
                            body(
                                NameSearch(
                                    pattern: pattern, mask: pattern.mask, isPlain: pattern.bytes != nil, room: room,
                                    subject: subject, word: word, letters: letters, worths: worths, starts: starts,
                                    masks: masks))
                        }
                    }
                }
            }
        }
    }

    // MARK: values and descriptions

    private func valueScore(_ number: Int) -> Int? {
        if subject.isSpecial(number) { return subject.facts(number).explanation.value.flatMap(pattern.runScore) }
        let position = subject.index.valuePositions[number]
        guard position != SearchIndex.noValue else { return nil }
        var score = valueScores[Int(position)]
        if score == Self.unknown {
            score = pattern.runScore(in: subject.index.values[Int(position)]).map { Int32($0) } ?? Self.none
            valueScores[Int(position)] = score
        }
        return score == Self.none ? nil : Int(score)
    }

    private func detailsScore(_ number: Int) -> Int? {
        guard number < subject.index.itemCount else { return nil }
        let mask = subject.index.detailMasks[number]
        guard mask.holds(pattern.mask), let details = subject.index.details[number] else { return nil }
        guard let bytes = pattern.bytes, !mask.hasOthers else { return pattern.runScore(in: details) }
        return details.withUTF8 { text in
            bytes.withUnsafeBufferPointer { RunInText(word: $0, text: text).score() }
        }
    }
}

/// A word in unfolded ASCII text.
private struct RunInText {
    let word: UnsafeBufferPointer<UInt8>
    let text: UnsafeBufferPointer<UInt8>

    /// The score at the first place that starts a word, else at any.
    func score() -> Int? {
        guard text.count >= word.count else { return nil }
        let (first, last) = (word[0], text.count - word.count)
        var isInside = false
        var start = 0
        while start <= last {
            if LetterFolding.small(text[start]) == first, stands(at: start) {
                let worth = worth(start)
                if worth >= Int(LetterWorth.hump) { return Scoring.run(letters: word.count, worth: worth) }
                isInside = true
            }
            start += 1
        }
        return isInside ? Scoring.run(letters: word.count, worth: 0) : nil
    }

    private func stands(at start: Int) -> Bool {
        var index = 1
        while index < word.count {
            if LetterFolding.small(text[start + index]) != word[index] { return false }
            index += 1
        }
        return true
    }

    private func worth(_ index: Int) -> Int {
        let before = index == 0 ? LetterWorth.Kind.none : LetterWorth.Kind(text[index - 1])
        return Int(LetterWorth.of(LetterWorth.Kind(text[index]), after: before) & LetterWorth.worthBits)
    }
}
