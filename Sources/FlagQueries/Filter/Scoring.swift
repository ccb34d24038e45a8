/// The scores and penalties of fzf, and two bonuses that fzf does not have: ``beginning`` and ``whole``.
enum Scoring {
    /// The score of each matched letter.
    static let letter = 16
    /// The minimum bonus of a letter in a run.
    static let run = 4
    /// The penalty for the first skipped letter of a gap.
    static let gapStart: Int32 = -3
    /// The penalty for each further skipped letter of a gap.
    static let gapMore: Int32 = -1
    /// The bonus of a word at the start of a text.
    static let beginning = 20
    /// The bonus of a word that is the whole text.
    static let whole = 20
    /// The amount by which a match in a value scores less than in a name.
    static let value = 16
    /// The amount by which a match in a description scores less than in a name.
    static let details = 32

    /// The score of a word without gaps.
    ///
    /// - Parameter bonus: the bonus of the word's first letter.
    static func run(letters: Int, bonus: Int) -> Int {
        letter * letters + 2 * bonus + (letters - 1) * max(run, bonus)
    }

    /// Whether a match in a name scores at least as much as the whole word inside another word. If so, the other texts
    /// of the flag need not be searched.
    static func isGood(_ score: Int, letters: Int) -> Bool { score >= letter * letters + run * (letters - 1) }
}
