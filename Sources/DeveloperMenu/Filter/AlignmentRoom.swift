/// Where alignments are worked out: one table for all texts that a word is looked for in.
struct AlignmentRoom {
    let scores: UnsafeMutablePointer<Int32>
    let runs: UnsafeMutablePointer<Int32>
    let firsts: UnsafeMutablePointer<Int32>
    let capacity: Int

    /// Room for a word of so many letters, in texts of any length; whoever asked for it gives it back.
    init(letters: Int) {
        let letters = max(1, letters)
        // Names have tens of letters; where letters are scattered over more than 256 the way does not matter.
        capacity = letters * 256
        scores = .allocate(capacity: 2 * capacity + letters)
        runs = scores + capacity
        firsts = runs + capacity
    }

    func deallocate() { scores.deallocate() }
}
