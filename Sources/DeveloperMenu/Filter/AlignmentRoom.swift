/// The table for alignments, shared by all texts that a word is searched in.
struct AlignmentRoom {
    let scores: UnsafeMutablePointer<Int32>
    let runs: UnsafeMutablePointer<Int32>
    let firsts: UnsafeMutablePointer<Int32>
    let capacity: Int

    /// A table for a word of so many letters, in texts of any length; the caller releases it.
    init(letters: Int) {
        let letters = max(1, letters)
        // Names have tens of letters; if letters are scattered over more than 256 the alignment does not matter.
        capacity = letters * 256
        scores = .allocate(capacity: 2 * capacity + letters)
        runs = scores + capacity
        firsts = runs + capacity
    }

    func deallocate() { scores.deallocate() }
}
