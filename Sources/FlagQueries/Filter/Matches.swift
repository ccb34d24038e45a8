/// The flags that match all conditions and words so far, with their scores.
struct Matches {
    private(set) var numbers: [Int32]
    private(set) var scores: [Int32]

    init(_ numbers: some Sequence<Int>) {
        self.numbers = numbers.map { Int32(truncatingIfNeeded: $0) }
        scores = Array(repeating: 0, count: self.numbers.count)
    }

    var isEmpty: Bool { numbers.isEmpty }

    /// Removes the flags that do not satisfy a predicate.
    mutating func keep(_ predicate: (Int) -> Bool) { addScores { predicate($0) ? 0 : nil } }

    /// Adds a score to each flag's score; removes the flags for which `score` returns `nil`.
    @inline(__always)
    mutating func addScores(_ score: (Int) -> Int?) {
        var count = 0
        numbers.withUnsafeMutableBufferPointer { numbers in
            scores.withUnsafeMutableBufferPointer { scores in
                for position in numbers.indices {
                    guard let added = score(Int(numbers[position])) else { continue }
                    numbers[count] = numbers[position]
                    scores[count] = scores[position] + Int32(truncatingIfNeeded: added)
                    count += 1
                }
            }
        }
        numbers.removeLast(numbers.count - count)
        scores.removeLast(scores.count - count)
    }
}
