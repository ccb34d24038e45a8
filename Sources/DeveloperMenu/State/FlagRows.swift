import FlagModel

/// Turns a board and a query into the rows of the list.
struct FlagRows {
    let board: FlagBoard
    let query: FlagQuery
    let isOverriddenOnly: Bool

    /// Flags under their categories; or, when words are searched for, the best match first and without headers.
    func rows(hasGaps: Bool) -> [FlagList.Row] {
        query.isRanked ? ranked() : grouped(hasGaps: hasGaps)
    }

    private func grouped(hasGaps: Bool) -> [FlagList.Row] {
        var rows: [FlagList.Row] = []
        rows.reserveCapacity(board.catalog.items.count + 2 * board.catalog.categories.count)
        for (index, category) in board.catalog.categories.enumerated() {
            let places = category.items.lazy.map(FlagBoard.Place.item).filter { isListed($0, in: category.name) }
            append(places, under: index, to: &rows, hasGaps: hasGaps)
        }
        let orphans = board.orphans.indices.lazy.map(FlagBoard.Place.orphan).filter { isListed($0, in: Self.orphanage) }
        append(orphans, under: nil, to: &rows, hasGaps: hasGaps)
        return rows
    }

    private func append(
        _ places: some Sequence<FlagBoard.Place>, under header: Int?, to rows: inout [FlagList.Row], hasGaps: Bool
    ) {
        let start = rows.count
        for place in places {
            if rows.count == start {
                if hasGaps, start > 0 { rows.append(.gap) }
                rows.append(.header(header))
            }
            rows.append(.flag(place))
        }
    }

    private func ranked() -> [FlagList.Row] {
        var matches: [(place: FlagBoard.Place, score: Int)] = []
        for category in board.catalog.categories {
            for index in category.items { append(.item(index), in: category.name, to: &matches) }
        }
        for index in board.orphans.indices { append(.orphan(index), in: Self.orphanage, to: &matches) }
        // Swift's sort is stable, so equal matches keep the catalog's order.
        matches.sort { $0.score > $1.score }
        return matches.map { .flag($0.place) }
    }

    private func append(
        _ place: FlagBoard.Place, in category: FlagText, to matches: inout [(place: FlagBoard.Place, score: Int)]
    ) {
        guard !isOverriddenOnly || board.isOverridden(place),
            let score = query.score(place, category: category, on: board)
        else { return }
        matches.append((place, score))
    }

    private func isListed(_ place: FlagBoard.Place, in category: FlagText) -> Bool {
        (!isOverriddenOnly || board.isOverridden(place))
            && (query.isEmpty || query.score(place, category: category, on: board) != nil)
    }

    /// The heading of overrides that no catalog and no source names any more.
    static let orphanage: FlagText = "No longer listed"
}
