/// The best way to match the letters of a word in a text, in order, with gaps: the dynamic programme of fzf.
///
/// A letter scores 16 and a bonus for its position; a gap costs 3 and 1 more for each letter after the first; letters
/// in a run get the bonus of the run's start.
struct Alignment<Letter: FixedWidthInteger> {
    let word: UnsafeBufferPointer<Letter>
    let text: UnsafeBufferPointer<Letter>
    let worths: UnsafeBufferPointer<UInt8>
    let room: AlignmentRoom

    /// The score; `nil` if the letters do not match.
    @inline(__always)
    func score() -> Int? {
        guard word.count > 0 else { return 0 }
        guard text.count >= word.count else { return nil }
        if let run = bestRun(), word.count == 1 || worth(run) >= Int(LetterWorth.hump) { return score(ofRunAt: run) }
        return scatteredScore()
    }

    /// The indices of the matched letters; `nil` if they do not match.
    func positions() -> [Int]? {
        guard word.count > 0 else { return [] }
        guard text.count >= word.count else { return nil }
        if let run = bestRun(), word.count == 1 || worth(run) >= Int(LetterWorth.hump) {
            return Array(run..<run + word.count)
        }
        guard let span = span() else { return nil }
        guard fits(span) else { return earliest() }
        return trace(fill(span), in: span)
    }

    private func worth(_ index: Int) -> Int { Int(worths[index] & LetterWorth.worthBits) }

    // MARK: runs

    /// The first best place of the word as typed.
    @inline(__always)
    func bestRun() -> Int? {
        guard word.count > 0, text.count >= word.count else { return nil }
        let first = word[0]
        var best: Int?
        var bestWorth = -1
        var start = 0
        let last = text.count - word.count
        while start <= last {
            if text[start] == first, worth(start) > bestWorth, stands(at: start) {
                if start == 0 { return 0 }
                (best, bestWorth) = (start, worth(start))
            }
            start += 1
        }
        return best
    }

    /// The score of the word at its best place as typed; `nil` if it is not in the text.
    @inline(__always)
    func bestRunScore() -> Int? { bestRun().map(score(ofRunAt:)) }

    @inline(__always)
    private func stands(at start: Int) -> Bool {
        var index = 1
        while index < word.count {
            if text[start + index] != word[index] { return false }
            index += 1
        }
        return true
    }

    /// The score of the word as typed. There is a bonus if it starts the text, and another if it is the whole text: a
    /// user who types a whole name means that flag.
    func score(ofRunAt start: Int) -> Int {
        let worth = worth(start)
        let run = Scoring.run(letters: word.count, worth: worth)
        guard start == 0 else { return run }
        return run + Scoring.beginning + (text.count == word.count ? Scoring.whole : 0)
    }

    // MARK: scattered letters

    /// From the earliest place of the first letter to the last place of the last one; `nil` if they are not in order.
    @inline(__always)
    private func span() -> Range<Int>? {
        var matched = 0
        var index = 0
        while index < text.count {
            if text[index] == word[matched] {
                room.firsts[matched] = Int32(truncatingIfNeeded: index)
                matched += 1
                if matched == word.count { break }
            }
            index += 1
        }
        guard matched == word.count else { return nil }
        var last = text.count - 1
        while text[last] != word[word.count - 1] { last -= 1 }
        return Int(room.firsts[0])..<last + 1
    }

    private func fits(_ span: Range<Int>) -> Bool { span.count * word.count <= room.capacity }

    @inline(__always)
    private func scatteredScore() -> Int? {
        guard let span = span() else { return nil }
        // In texts far longer than names the alignment does not matter: only the length of the word counts.
        guard fits(span) else { return Scoring.letter * word.count / 2 }
        let end = fill(span)
        return Int(room.scores[(word.count - 1) * span.count + end])
    }

    /// Fills the table row by row, a row per letter of the word.
    ///
    /// - Returns: the column in which the best alignment ends.
    @inline(__always)
    private func fill(_ span: Range<Int>) -> Int {
        let width = span.count
        fillFirstRow(span)
        var best = 0
        var bestScore: Int32 = -1
        for row in 1..<word.count {
            let start = Int(room.firsts[row]) - span.lowerBound
            let isLast = row == word.count - 1
            var left: Int32 = 0
            var isGap = false
            for column in start..<width {
                let cell = row * width + column
                let skipped = left + (isGap ? Scoring.gapMore : Scoring.gapStart)
                var taken: Int32 = 0
                var run: Int32 = 0
                if text[span.lowerBound + column] == word[row] {
                    (taken, run) = take(cell - width - 1, span.lowerBound + column, skipped)
                }
                isGap = taken < skipped
                left = max(taken, skipped, 0)
                room.scores[cell] = left
                room.runs[cell] = run
                if isLast, left > bestScore { (best, bestScore) = (column, left) }
            }
        }
        return best
    }

    @inline(__always)
    private func fillFirstRow(_ span: Range<Int>) {
        var score: Int32 = 0
        var isGap = false
        for column in 0..<span.count {
            let index = span.lowerBound + column
            let skipped = score + (isGap ? Scoring.gapMore : Scoring.gapStart)
            let taken = text[index] == word[0] ? Int32(Scoring.letter + 2 * worth(index)) : 0
            // Unlike in fzf a later place of the first letter does not replace a better one before.
            isGap = taken < skipped || taken == 0
            score = max(taken, skipped, 0)
            room.scores[column] = score
            room.runs[column] = isGap ? 0 : 1
        }
    }

    /// The score of matching a letter here, after the previous cell, and the length of the run then.
    @inline(__always)
    private func take(_ before: Int, _ index: Int, _ skipped: Int32) -> (score: Int32, run: Int32) {
        let plain = room.scores[before] + Int32(Scoring.letter)
        let own = Int32(worth(index))
        var run = room.runs[before] + 1
        var bonus = own
        if run > 1 {
            let first = Int32(worth(index - Int(run) + 1))
            if own >= Int32(LetterWorth.wordStart), own > first {
                run = 1
            } else {
                bonus = max(own, Int32(Scoring.run), first)
            }
        }
        return plain + bonus < skipped ? (plain + own, 0) : (plain + bonus, run)
    }

    /// Traces the alignment back from its best end, preferring runs.
    private func trace(_ end: Int, in span: Range<Int>) -> [Int] {
        let width = span.count
        var found: [Int] = []
        var (row, column) = (word.count - 1, end)
        var prefersTaking = true
        while true {
            let cell = row * width + column
            let score = room.scores[cell]
            let start = Int(room.firsts[row]) - span.lowerBound
            let diagonal = row > 0 && column >= start ? room.scores[cell - width - 1] : 0
            let left = column > start ? room.scores[cell - 1] : 0
            if score > diagonal, score > left || score == left && prefersTaking {
                found.append(span.lowerBound + column)
                if row == 0 { return found.reversed() }
                row -= 1
            }
            let below = cell + width + 1
            prefersTaking = room.runs[cell] > 1 || isFilled(row + 1, column + 1, span) && room.runs[below] > 0
            column -= 1
        }
    }

    private func isFilled(_ row: Int, _ column: Int, _ span: Range<Int>) -> Bool {
        row < word.count && column < span.count && column >= Int(room.firsts[row]) - span.lowerBound
    }

    /// The earliest place of each letter.
    private func earliest() -> [Int] { word.indices.map { Int(room.firsts[$0]) } }
}
