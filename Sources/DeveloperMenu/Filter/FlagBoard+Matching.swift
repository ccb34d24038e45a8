public import FlagModel

extension FlagBoard {
    /// The flags that match a filter literally: the flags that commands and bulk actions change.
    ///
    /// A word matches a flag whose key, title, description or value contains it, in any case; a flag must match all
    /// words and conditions. Scattered letters, which match in the menu's list, do not count here.
    ///
    /// - Parameters:
    ///   - filter: words and conditions, as after `/`; every flag matches an empty one.
    ///   - order: the order of the flags.
    ///   - isOverriddenOnly: whether flags without an override are left out.
    /// - Throws: an error if a condition has an unknown word, such as `is:foo`, or no word.
    public func places(
        matching filter: String, order: ListOrder = .catalog, isOverriddenOnly: Bool = false
    ) throws(FilterError) -> [Place] {
        let query = FlagQuery(literal: filter)
        guard query.issues.isEmpty else { throw FilterError(description: query.issues.joined(separator: " ")) }
        let needsIndex = !query.isEmpty || order == .name
        return FlagRows(
            board: self, index: needsIndex ? SearchIndex(snapshot) : .empty, query: query,
            isOverriddenOnly: isOverriddenOnly, order: order, pins: [], sticky: StickyFlags()
        ).rows(hasGaps: false).compactMap { if case .flag(let place) = $0 { place } else { nil } }
    }
}

/// Why a filter is not valid.
public struct FilterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error, with the accepted words, as one or more sentences.
    public let description: String
}
