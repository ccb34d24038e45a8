/// The figures of fzf, and two of ours for the beginning of a name and for all of it.
enum Scoring {
    static let letter = 16
    static let run = 4
    static let gapStart: Int32 = -3
    static let gapMore: Int32 = -1
    static let beginning = 20
    static let whole = 20
    /// What a match in a value is worth less than the same match in a name.
    static let value = 16
    /// What a match in a description is worth less than the same match in a name.
    static let details = 32

    /// A word that stands as typed where its first letter has this worth.
    static func run(letters: Int, worth: Int) -> Int {
        letter * letters + 2 * worth + (letters - 1) * max(run, worth)
    }

    /// From here on a match in a name is as good as the word as it stands inside another: no need to look further.
    static func isGood(_ score: Int, letters: Int) -> Bool { score >= letter * letters + run * (letters - 1) }
}
