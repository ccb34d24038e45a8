/// The flags that match all conditions and words so far, with their scores.
struct Matches {
    private(set) var flags: [(number: Int, score: Int)]

    init(_ numbers: some Sequence<Int>) { flags = numbers.map { ($0, 0) } }

    /// Removes the flags that do not satisfy a predicate.
    mutating func keep(_ predicate: (Int) -> Bool) { flags.removeAll { !predicate($0.number) } }

    /// Adds a score to each flag's score; removes the flags for which `score` returns `nil`.
    mutating func addScores(_ score: (Int) -> Int?) {
        flags = flags.compactMap { flag in score(flag.number).map { (flag.number, flag.score + $0) } }
    }
}
