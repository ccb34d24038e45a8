/// Finds the best way to match the letters of a word in a text, in order and with gaps. Uses dynamic programming as fzf
/// does.
///
/// A letter scores 16 plus a bonus for its position. A gap costs 3 for its first skipped letter and 1 for each further
/// one. Letters in a run get the bonus of the run's first letter.
struct Alignment {
    /// The letters of the word, without the bits that are not compared.
    let word: UnsafeBufferPointer<UInt32>
    let text: UnsafeBufferPointer<Letter>
    /// The bits of a letter that are compared.
    let mask: UInt32
    let table: AlignmentTable

    /// The score of the best match; `nil` if the letters are not in the text in this order.
    func score() -> Int? {
        guard word.count > 0 else { return 0 }
        return goodRun.map { score(ofRunAt: $0) } ?? scatteredScore()
    }

    /// The indices of the matched letters in the text; `nil` if the letters are not in the text in this order.
    func positions() -> [Int]? {
        guard word.count > 0 else { return [] }
        if let run = goodRun { return Array(run..<run + word.count) }
        guard let span = span() else { return nil }
        guard fits(span) else { return earliestPlaces() }
        return trace(fill(span), in: span)
    }

    private func letter(_ index: Int) -> UInt32 { text[index].bits & mask }

    private func bonus(_ index: Int) -> Int { text[index].bonus }

    // MARK: runs

    /// The index of a run that scores more than scattered letters could; `nil` if there is none.
    private var goodRun: Int? {
        bestRun().flatMap { word.count == 1 || bonus($0) >= Int(LetterBonus.hump) ? $0 : nil }
    }

    /// The index at which the text contains the word with the highest bonus; `nil` if the text does not contain the
    /// word.
    func bestRun() -> Int? {
        guard let first = word.first, text.count >= word.count else { return nil }
        var best: Int?
        var bestBonus = -1
        for start in 0..<text.count - word.count + 1 where letter(start) == first {
            guard bonus(start) > bestBonus, isAligned(at: start) else { continue }
            // No later letter has a higher bonus.
            if bonus(start) >= Int(LetterBonus.wordStart) { return start }
            (best, bestBonus) = (start, bonus(start))
        }
        return best
    }

    /// The score of the word, without gaps, at its best index; `nil` if the text does not contain the word.
    func bestRunScore() -> Int? { bestRun().map { score(ofRunAt: $0) } }

    /// Whether the text contains the word at an index. The caller has already compared the first letter.
    private func isAligned(at start: Int) -> Bool {
        (1..<word.count).allSatisfy { letter(start + $0) == word[$0] }
    }

    /// The score of the word, without gaps, at an index. A word at the start of the text gets a bonus, and a word that
    /// is the whole text gets another: a user who types a whole name means that flag.
    func score(ofRunAt start: Int) -> Int {
        let run = Scoring.run(letters: word.count, bonus: bonus(start))
        guard start == 0 else { return run }
        return run + Scoring.beginning + (text.count == word.count ? Scoring.whole : 0)
    }

    // MARK: scattered letters

    /// The range from the first possible index of the word's first letter to the last index of its last letter; `nil`
    /// if the letters are not in the text in this order.
    private func span() -> Range<Int>? {
        var matched = 0
        for index in text.indices where letter(index) == word[matched] {
            table.earliestPlaces[matched] = Int32(truncatingIfNeeded: index)
            matched += 1
            if matched == word.count { break }
        }
        guard matched == word.count, let last = text.indices.last(where: { letter($0) == word[word.count - 1] }) else {
            return nil
        }
        return Int(table.earliestPlaces[0])..<last + 1
    }

    /// Whether the table has room for a span.
    private func fits(_ span: Range<Int>) -> Bool { span.count * word.count <= table.capacity }

    private func scatteredScore() -> Int? {
        guard let span = span() else { return nil }
        // In texts far longer than names, positions do not matter: the score only depends on the length of the word.
        guard fits(span) else { return Scoring.letter * word.count / 2 }
        let end = fill(span)
        return Int(table.scores[(word.count - 1) * span.count + end])
    }

    /// Fills the table, one row per letter of the word.
    ///
    /// - Returns: the column in which the best alignment ends.
    private func fill(_ span: Range<Int>) -> Int {
        let width = span.count
        var best = 0
        var bestScore: Int32 = -1
        for row in word.indices {
            let start = Int(table.earliestPlaces[row]) - span.lowerBound
            let isLast = row == word.count - 1
            var score: Int32 = 0
            var isGap = false
            for column in start..<width {
                let cell = row * width + column
                let skipScore = score + (isGap ? Scoring.gapMore : Scoring.gapStart)
                var matchScore: Int32 = 0
                var run: Int32 = 0
                if letter(span.lowerBound + column) == word[row] {
                    let diagonal = row == 0 ? nil : cell - width - 1
                    (matchScore, run) = match(after: diagonal, at: span.lowerBound + column, skipScore)
                }
                isGap = matchScore < skipScore
                score = max(matchScore, skipScore, 0)
                table.scores[cell] = score
                table.runs[cell] = run
                if isLast, score > bestScore { (best, bestScore) = (column, score) }
            }
        }
        return best
    }

    /// The score if the letter at an index of the text matches, and the length of the run that ends at this index.
    ///
    /// - Parameters:
    ///   - diagonal: the table cell of the previous letter of the word and the previous letter of the text; `nil` for
    ///     the first letter of the word.
    ///   - skipScore: the score if the letter does not match.
    private func match(after diagonal: Int?, at index: Int, _ skipScore: Int32) -> (score: Int32, run: Int32) {
        let letterBonus = Int32(bonus(index))
        guard let diagonal else {
            let score = Int32(Scoring.letter) + 2 * letterBonus
            // Unlike in fzf, a later match of the first letter does not replace an earlier match that has a better
            // score.
            return (score, score < skipScore ? 0 : 1)
        }
        let base = table.scores[diagonal] + Int32(Scoring.letter)
        var run = table.runs[diagonal] + 1
        var runBonus = letterBonus
        if run > 1 {
            let firstBonus = Int32(bonus(index - Int(run) + 1))
            if letterBonus >= Int32(LetterBonus.wordStart), letterBonus > firstBonus {
                run = 1
            } else {
                runBonus = max(letterBonus, Int32(Scoring.run), firstBonus)
            }
        }
        return base + runBonus < skipScore ? (base + letterBonus, 0) : (base + runBonus, run)
    }

    /// The indices of the matched letters, traced back through the table from the end of the best alignment. Among
    /// equal scores, runs are preferred.
    private func trace(_ end: Int, in span: Range<Int>) -> [Int] {
        let width = span.count
        var matched: [Int] = []
        var (row, column) = (word.count - 1, end)
        var prefersMatch = true
        while true {
            let cell = row * width + column
            let score = table.scores[cell]
            let start = Int(table.earliestPlaces[row]) - span.lowerBound
            let diagonal = row > 0 && column >= start ? table.scores[cell - width - 1] : 0
            let left = column > start ? table.scores[cell - 1] : 0
            if score > diagonal, score > left || score == left && prefersMatch {
                matched.append(span.lowerBound + column)
                if row == 0 { return matched.reversed() }
                row -= 1
            }
            let nextDiagonal = cell + width + 1
            prefersMatch = table.runs[cell] > 1 || isFilled(row + 1, column + 1, span) && table.runs[nextDiagonal] > 0
            column -= 1
        }
    }

    /// Whether a cell of the table is in the part that was filled.
    private func isFilled(_ row: Int, _ column: Int, _ span: Range<Int>) -> Bool {
        row < word.count && column < span.count && column >= Int(table.earliestPlaces[row]) - span.lowerBound
    }

    /// The first possible index of each letter of the word in the text.
    private func earliestPlaces() -> [Int] { word.indices.map { Int(table.earliestPlaces[$0]) } }
}

/// The table for aligning one word with texts; it is reused for every searched text. It has a row per letter of the
/// word and a column per letter of the text.
final class AlignmentTable {
    /// The best score of each cell so far.
    let scores: UnsafeMutablePointer<Int32>
    /// The length of the run that ends at each cell.
    let runs: UnsafeMutablePointer<Int32>
    /// The first possible index of each letter of the word in the text.
    let earliestPlaces: UnsafeMutablePointer<Int32>
    /// The number of cells.
    let capacity: Int

    /// Allocates a table for a word with this number of letters.
    init(letters: Int) {
        let letters = max(1, letters)
        // Names have tens of letters. If a match spans more than 256 letters, its positions do not matter.
        capacity = letters * 256
        scores = .allocate(capacity: 2 * capacity + letters)
        runs = scores + capacity
        earliestPlaces = runs + capacity
    }

    deinit { scores.deallocate() }
}
