/// The table for the alignments of one word, reused for every text that the word is searched in: a row per letter of
/// the word, a column per letter of the text.
struct AlignmentTable {
    /// For each cell the best score so far.
    let scores: UnsafeMutablePointer<Int32>
    /// For each cell the length of the run that ends there.
    let runs: UnsafeMutablePointer<Int32>
    /// For each letter of the word its earliest place in the text.
    let earliestPlaces: UnsafeMutablePointer<Int32>
    /// The number of cells.
    let capacity: Int

    /// Allocates a table for a word with a number of letters. The caller must call ``deallocate()``.
    init(letters: Int) {
        let letters = max(1, letters)
        // Names have tens of letters; if matches are scattered over more than 256 letters, the alignment does not
        // matter.
        capacity = letters * 256
        scores = .allocate(capacity: 2 * capacity + letters)
        runs = scores + capacity
        earliestPlaces = runs + capacity
    }

    func deallocate() { scores.deallocate() }
}
