public import FlagModel

extension FlagBoard {
    /// The flags that a filter matches literally: what commands and bulk actions change.
    ///
    /// A word matches a flag whose key, title, description or value contains it, in any case; a flag must match all words and
    /// conditions. Scattered letters, by which the menu's list finds one flag, do not count.
    ///
    /// - Parameters:
    ///   - filter: words and conditions, as after `/`; every flag matches an empty one.
    ///   - order: the order of the flags.
    ///   - isOverriddenOnly: whether flags without an override are left out.
    /// - Throws: an error if a condition has an unknown word, such as `is:foo`, or none.
    public func places(
        matching filter: String, order: ListOrder = .catalog, isOverriddenOnly: Bool = false
    ) throws(FilterError) -> [Place] {
        let query = FlagQuery(literal: filter)
        guard query.problems.isEmpty else { throw FilterError(description: query.problems.joined(separator: " ")) }
        let needsIndex = !query.isEmpty || order == .name
        return FlagRows(
            board: self, index: needsIndex ? SearchIndex(snapshot) : .empty, query: query,
            isOverriddenOnly: isOverriddenOnly, order: order, pins: [], kept: KeptFlags()
        ).rows(hasGaps: false).compactMap { if case .flag(let place) = $0 { place } else { nil } }
    }
}

/// Why a filter is not valid.
public struct FilterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and which words are known, as a sentence.
    public let description: String
}
