/// The figures of fzf, and two of ours for the beginning of a name and for the whole name.
enum Scoring {
    static let letter = 16
    static let run = 4
    static let gapStart: Int32 = -3
    static let gapMore: Int32 = -1
    static let beginning = 20
    static let whole = 20
    /// How much less a match in a value scores than in a name.
    static let value = 16
    /// How much less a match in a description scores than in a name.
    static let details = 32

    /// The score of a word as typed, with the bonus of its first letter.
    static func run(letters: Int, worth: Int) -> Int {
        letter * letters + 2 * worth + (letters - 1) * max(run, worth)
    }

    /// From here on a match in a name is as good as the word inside another word: the search can stop.
    static func isGood(_ score: Int, letters: Int) -> Bool { score >= letter * letters + run * (letters - 1) }
}
