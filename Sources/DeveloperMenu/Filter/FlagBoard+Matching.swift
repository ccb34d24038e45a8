public import FlagModel

extension FlagBoard {
    /// The flags that the menu lists for a filter, in the same order.
    ///
    /// - Parameters:
    ///   - filter: what would be typed behind `/`; every flag matches an empty one.
    ///   - order: in which order they stand while no words are searched for.
    ///   - isOverriddenOnly: whether flags without an override are left out.
    public func places(
        matching filter: String, order: ListOrder = .catalog, isOverriddenOnly: Bool = false
    ) -> [Place] {
        let query = FlagQuery(filter)
        let needsIndex = !query.isEmpty || order == .name
        return FlagRows(
            board: self, index: needsIndex ? SearchIndex(snapshot) : .empty, query: query,
            isOverriddenOnly: isOverriddenOnly, order: order, pins: [], kept: KeptFlags()
        ).rows(hasGaps: false).compactMap { if case .flag(let place) = $0 { place } else { nil } }
    }
}
