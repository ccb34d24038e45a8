/// Flags that have matched so far, with their scores.
struct Matches {
    private(set) var numbers: [Int32]
    private(set) var scores: [Int32]

    init(_ numbers: some Sequence<Int>) {
        self.numbers = numbers.map { Int32(truncatingIfNeeded: $0) }
        scores = Array(repeating: 0, count: self.numbers.count)
    }

    var isEmpty: Bool { numbers.isEmpty }

    /// Keeps the flags that fulfil the condition.
    mutating func keep(_ isKept: (Int) -> Bool) { addScores { isKept($0) ? 0 : nil } }

    /// Adds to each flag's score; removes those without one.
    @inline(__always)
    mutating func addScores(_ score: (Int) -> Int?) {
        var kept = 0
        numbers.withUnsafeMutableBufferPointer { numbers in
            scores.withUnsafeMutableBufferPointer { scores in
                for position in numbers.indices {
                    guard let added = score(Int(numbers[position])) else { continue }
                    numbers[kept] = numbers[position]
                    scores[kept] = scores[position] + Int32(truncatingIfNeeded: added)
                    kept += 1
                }
            }
        }
        numbers.removeLast(numbers.count - kept)
        scores.removeLast(scores.count - kept)
    }
}
