public import FlagModel

extension FlagBoard {
    /// The flags that match a filter literally. Commands and bulk actions change these flags.
    ///
    /// A flag matches a word if its key, title, description or value contains the word, in any case. A flag must match
    /// all words and conditions. Scattered letters match only in the menu's list, not here.
    ///
    /// - Parameters:
    ///   - filter: words and conditions, as after `/`. An empty filter matches every flag.
    ///   - order: the order of the flags.
    ///   - isOverriddenOnly: whether flags without an override are left out.
    /// - Throws: an error if a condition has an unknown word, such as `is:foo`, or no word.
    public func places(
        matching filter: String, order: ListOrder = .catalog, isOverriddenOnly: Bool = false
    ) throws(InvalidText) -> [Place] {
        let query = FlagQuery(literal: filter)
        guard query.issues.isEmpty else { throw InvalidText(sentence: query.issues.joined(separator: " ")) }
        let needsIndex = !query.isEmpty || order == .name
        let rows = FlagRows(board: self, index: needsIndex ? SearchIndex(snapshot) : .empty, query: query, order: order)
        return rows.rows(hasGaps: false).compactMap { row in
            guard case .flag(let place) = row, !isOverriddenOnly || isOverridden(place) else { return nil }
            return place
        }
    }
}
