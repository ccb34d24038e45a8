/// The table for aligning one word with texts; it is reused for every searched text. It has a row per letter of the
/// word and a column per letter of the text.
struct AlignmentTable {
    /// The best score of each cell so far.
    let scores: UnsafeMutablePointer<Int32>
    /// The length of the run that ends at each cell.
    let runs: UnsafeMutablePointer<Int32>
    /// The first possible index of each letter of the word in the text.
    let earliestPlaces: UnsafeMutablePointer<Int32>
    /// The number of cells.
    let capacity: Int

    /// Allocates a table for a word with this number of letters. The caller must call ``deallocate()``.
    init(letters: Int) {
        let letters = max(1, letters)
        // Names have tens of letters. If a match spans more than 256 letters, its positions do not matter.
        capacity = letters * 256
        scores = .allocate(capacity: 2 * capacity + letters)
        runs = scores + capacity
        earliestPlaces = runs + capacity
    }

    func deallocate() { scores.deallocate() }
}
