import FlagModel

/// Searches one word in one flag after another.
///
/// Names match by scattered letters. Values and descriptions are so long that they contain scattered letters of most
/// words, so they must contain the word itself. A match scores less in a value than in a name, and even less in a
/// description; but a word in a description ranks above letters scattered over a name.
struct WordSearch {
    private let word: FlagQuery.Word
    private let pattern: FuzzyPattern
    private let search: FlagSearch
    private let table: AlignmentTable
    /// The scores of ``SearchIndex/values`` so far; inside, `nil` for a value that does not match.
    private var valueScores: [Int??]

    init(_ word: FlagQuery.Word, in search: FlagSearch) {
        (self.word, self.search) = (word, search)
        pattern = word.pattern
        table = AlignmentTable(letters: word.pattern.letters.count)
        valueScores = Array(repeating: nil, count: search.index.values.count)
    }

    /// Removes the flags that do not match, and adds the scores of the others.
    mutating func narrow(_ matches: inout [FlagSearch.Match]) {
        var kept = 0
        for index in matches.indices {
            let (number, score) = matches[index]
            let nameScore = nameScore(number, isRun: word.isQuoted)
            let isGood = nameScore.map(word.isGood) ?? false
            guard let wordScore = isGood ? nameScore : bestScore(number, nameScore: nameScore) else { continue }
            matches[kept] = (number, score + wordScore)
            kept += 1
        }
        matches.removeLast(matches.count - kept)
    }

    /// Removes the flags that contain the word. Flags that only have its scattered letters stay.
    mutating func exclude(from matches: inout [FlagSearch.Match]) {
        matches.keep { number in
            nameScore(number, isRun: true) == nil && valueScore(number) == nil && detailsScore(number) == nil
        }
    }

    /// The best of the scores of a flag's name, value and description; `nil` if none matches.
    private mutating func bestScore(_ number: Int, nameScore: Int?) -> Int? {
        var best = nameScore
        if let value = valueScore(number) { best = max(best ?? 0, value - Scoring.value, 1) }
        if let details = detailsScore(number) { best = max(best ?? 0, details - Scoring.details, 1) }
        return best
    }

    /// The better of the scores of a flag's title and key; `nil` if neither text matches.
    ///
    /// - Parameter isRun: whether the letters must be without gaps.
    private func nameScore(_ number: Int, isRun: Bool) -> Int? {
        guard number < search.index.itemCount else {
            let key = search.board.key(at: number)
            return isRun ? pattern.runScore(in: key) : pattern.score(in: key)
        }
        let (title, key) = (score(.title, of: number, isRun: isRun), score(.key, of: number, isRun: isRun))
        return title.map { max($0, key ?? $0) } ?? key
    }

    private mutating func valueScore(_ number: Int) -> Int? {
        if search.isSpecial(number) {
            let facts = search.board.facts(at: number)
            return facts.explanation.value.flatMap { value in
                pattern.runScore(in: facts.item?.searched(value, type: facts.type) ?? value)
            }
        }
        guard let value = search.index.valueNumbers[number] else { return nil }
        if let score = valueScores[value] { return score }
        let score = pattern.runScore(in: search.index.values[value])
        valueScores[value] = .some(score)
        return score
    }

    private func detailsScore(_ number: Int) -> Int? {
        number < search.index.itemCount ? score(.details, of: number, isRun: true) : nil
    }

    // Called for each text of each flag at each key press. Three closures that are not inlined took half of the time.
    @inline(__always)
    private func score(_ text: SearchIndex.Text, of number: Int, isRun: Bool) -> Int? {
        guard search.index.mayHave(pattern.letterSet, in: text, of: number) else { return nil }
        return search.index.withLetters(text, of: number) { letters in
            pattern.aligning(letters, table) { isRun ? $0.bestRunScore() : $0.score() }
        }
    }
}
