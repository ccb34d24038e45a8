/// Suggests similar keys.
public enum NearestKeys {
    /// The candidates most similar to a given word, the nearest first, at most three.
    ///
    /// A candidate is similar if it has few typing errors for its length, or contains the whole word.
    public static func of(_ given: String, among candidates: some Sequence<String>) -> [String] {
        let word = Array(given.lowercased().unicodeScalars.prefix(120))
        let limit = max(1, word.count / 3)
        var near: [(candidate: String, distance: Int)] = []
        // A known key may be unknown to something else, such as a catalog.
        for candidate in candidates where candidate != given {
            let text = Array(candidate.lowercased().unicodeScalars.prefix(120))
            let distance = editDistance(word, text, limit: limit) ?? (startsLike(text, word) ? limit + 1 : nil)
            if let distance { near.append((candidate, distance)) }
        }
        return near.sorted { $0.distance < $1.distance }.prefix(3).map(\.candidate)
    }

    /// A suggestion to append to a sentence, ` Did you mean "a" or "b"?`; empty if no candidate is similar.
    ///
    /// - Parameter limit: the maximum number of suggested candidates.
    public static func suggestion(
        about word: String, among candidates: some Sequence<String>, naming limit: Int = 1
    ) -> String {
        let nearest = of(word, among: candidates).prefix(limit).map { JSONOutput.quoted($0, limit: 80) }
        return nearest.isEmpty ? "" : " Did you mean \(nearest.joined(separator: " or "))?"
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment) that turn
    /// `left` into `right`; `nil` if the number is above `limit`.
    private static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var older: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let cost = left[row] == right[column] ? 0 : 1
                var best = min(previous[column + 1] + 1, current[column] + 1, previous[column] + cost)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, older[column - 1] + 1)
                }
                current.append(best)
            }
            guard current.contains(where: { $0 <= limit }) else { return nil }
            (older, previous) = (previous, current)
        }
        return previous[right.count] <= limit ? previous[right.count] : nil
    }

    /// Whether a text contains a word. If the word has at least six letters, a text that begins with a misspelling of
    /// the word counts, too.
    private static func startsLike(_ text: [Unicode.Scalar], _ word: [Unicode.Scalar]) -> Bool {
        word.count >= 3 && text.contains(word)
            || word.count >= 6 && editDistance(word, Array(text.prefix(word.count)), limit: word.count / 6) != nil
    }
}
