/// The scores and penalties of fzf, and two bonuses that fzf does not have: ``beginning`` and ``whole``.
enum Scoring {
    /// For each matched letter.
    static let letter = 16
    /// The least bonus of a letter in a run.
    static let run = 4
    /// For the first skipped letter of a gap.
    static let gapStart: Int32 = -3
    /// For each further skipped letter.
    static let gapMore: Int32 = -1
    /// For a word at the start of a text.
    static let beginning = 20
    /// For a word that is the whole text.
    static let whole = 20
    /// How much less a match in a value scores than in a name.
    static let value = 16
    /// How much less a match in a description scores than in a name.
    static let details = 32

    /// The score of a word without gaps.
    ///
    /// - Parameter bonus: the bonus of its first letter.
    static func run(letters: Int, bonus: Int) -> Int {
        letter * letters + 2 * bonus + (letters - 1) * max(run, bonus)
    }

    /// Whether a match in a name is at least as good as the word inside another word, so that other texts of the flag
    /// need not be searched.
    static func isGood(_ score: Int, letters: Int) -> Bool { score >= letter * letters + run * (letters - 1) }
}
