import FlagModel

/// Turns a board and a query into the rows of the list.
struct FlagRows {
    let board: FlagBoard
    let query: FlagQuery
    let isOverriddenOnly: Bool
    let order: ListOrder
    let pins: [String]

    /// Flags under their headings; or, when words are searched for, the best match first and without headers.
    func rows(hasGaps: Bool) -> [FlagList.Row] {
        query.isRanked ? ranked() : grouped(hasGaps: hasGaps)
    }

    /// Every flag once: pinned ones on top, then as the order has them.
    private func grouped(hasGaps: Bool) -> [FlagList.Row] {
        var sections = Sections(hasGaps: hasGaps, itemCount: board.catalog.items.count)
        sections.append(pins.lazy.compactMap { board.place(of: FlagText($0)) }.filter(isListed), under: .pinned)
        if order == .changedFirst { sections.append(overridden.filter(isListed), under: .overridden) }
        if order == .name {
            sections.append(byName.lazy.filter(isListed), under: .byName)
        } else {
            appendCategories(to: &sections)
        }
        return sections.rows
    }

    private func appendCategories(to sections: inout Sections) {
        for (index, category) in board.catalog.categories.enumerated() {
            sections.append(category.items.lazy.map(FlagBoard.Place.item).filter(isListed), under: .category(index))
        }
        sections.append(board.orphans.indices.lazy.map(FlagBoard.Place.orphan).filter(isListed), under: .unlisted)
    }

    private var overridden: [FlagBoard.Place] {
        board.overriddenItems.map(FlagBoard.Place.item) + board.orphans.indices.map(FlagBoard.Place.orphan)
    }

    private var byName: [FlagBoard.Place] {
        let named = board.places.map { place in
            switch place {
            case .item(let index): (place, board.catalog.items[index].name.string.lowercased())
            case .orphan(let index): (place, board.orphans[index].lowercased())
            }
        }
        return named.sorted { $0.1 < $1.1 }.map(\.0)
    }

    private func ranked() -> [FlagList.Row] {
        var matches: [(place: FlagBoard.Place, score: Int)] = []
        for place in board.places where !isOverriddenOnly || board.isOverridden(place) {
            guard let score = query.score(place, category: categoryName(of: place), on: board) else { continue }
            matches.append((place, score))
        }
        // Swift's sort is stable, so equal matches keep the catalog's order.
        matches.sort { $0.score > $1.score }
        return matches.map { .flag($0.place) }
    }

    private func isListed(_ place: FlagBoard.Place) -> Bool {
        (!isOverriddenOnly || board.isOverridden(place))
            && (query.isEmpty || query.score(place, category: categoryName(of: place), on: board) != nil)
    }

    private func categoryName(of place: FlagBoard.Place) -> FlagText {
        guard case .item(let index) = place else { return Self.orphanage }
        return board.catalog.categories[board.catalog.items[index].category].name
    }

    /// The heading of overrides that no catalog and no source names any more.
    static let orphanage: FlagText = "No longer listed"
}

/// Rows under their headings, with each flag at the first place that asks for it.
private struct Sections {
    private(set) var rows: [FlagList.Row] = []
    private let hasGaps: Bool
    private var isItemTaken: [Bool] = []
    private var takenOrphans: Set<Int> = []
    private let itemCount: Int

    init(hasGaps: Bool, itemCount: Int) {
        self.hasGaps = hasGaps
        self.itemCount = itemCount
        rows.reserveCapacity(itemCount + 64)
    }

    mutating func append(_ places: some Sequence<FlagBoard.Place>, under heading: FlagList.Heading) {
        let start = rows.count
        for place in places where take(place, isLast: heading.isPlaceOfItsOwn) {
            if rows.count == start {
                if hasGaps, start > 0 { rows.append(.gap) }
                rows.append(.header(heading))
            }
            rows.append(.flag(place))
        }
    }

    /// Whether no section before has the flag. Only sections that pick flags from others have to be remembered.
    private mutating func take(_ place: FlagBoard.Place, isLast: Bool) -> Bool {
        switch place {
        case .item(let index):
            if !isItemTaken.isEmpty, isItemTaken[index] { return false }
            guard !isLast else { return true }
            if isItemTaken.isEmpty { isItemTaken = Array(repeating: false, count: itemCount) }
            isItemTaken[index] = true
            return true
        case .orphan(let index):
            return takenOrphans.insert(index).inserted
        }
    }
}

extension FlagList.Heading {
    /// `true` for headings under which flags are at home; the others borrow them.
    var isPlaceOfItsOwn: Bool {
        switch self {
        case .pinned, .overridden: false
        case .category, .unlisted, .byName: true
        }
    }
}
