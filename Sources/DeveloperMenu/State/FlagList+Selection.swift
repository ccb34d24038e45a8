public import FlagModel
import FlagQueries

// The selected row, and what the user moves to.
extension FlagList {
    /// The place of the selected flag; `nil` if no flag is listed.
    public var selectedPlace: FlagBoard.Place? {
        selection.flatMap { rows[$0].place }
    }

    /// The group of the selected row; `nil` in a list without groups.
    var groupOfSelection: FlagRows.Heading? {
        selection.flatMap { rows[...$0].last { $0.heading != nil }?.heading }
    }

    /// The selected condition or attribute; `nil` if another row is selected.
    var selectedPart: ContextPart? {
        guard let selection, case .part(let part) = rows[selection] else { return nil }
        return part
    }

    /// The heading of the selected folded group; `nil` if another row is selected.
    var selectedGroup: FlagRows.Heading? {
        guard let selection, case .folded(let group) = rows[selection] else { return nil }
        return group.heading
    }

    /// The selected flag; `nil` if no flag is listed.
    public var selected: FlagFacts? { selectedPlace.map(board.facts(at:)) }

    /// The row of a flag; `nil` if the flag is not listed.
    func row(of key: FlagText) -> Int? { board.place(of: key).flatMap { rows.firstIndex(of: .flag($0)) } }

    /// Lists all flags, and unfolds all groups, if a flag is hidden otherwise.
    mutating func reveal(_ key: FlagText) {
        if row(of: key) == nil { showAll() }
        if row(of: key) == nil {
            folded = []
            rebuild()
        }
    }

    mutating func move(_ movement: Movement) {
        moveSelection { list, row in
            switch movement {
            case .down: list.row(1, from: row)
            case .up: list.row(-1, from: row)
            case .pageDown: list.page(1, from: row)
            case .pageUp: list.page(-1, from: row)
            case .first: list.nearest(to: 0)
            case .last: list.nearest(to: list.rows.count - 1)
            }
        }
    }

    /// Selects the row that `target` returns for the list and the selected row. If `target` returns `nil`, the
    /// selection stays.
    mutating func moveSelection(_ target: (FlagList, Int) -> Int?) {
        guard let selection, let row = target(self, selection) else { return }
        select(row)
    }

    /// The row to select when the rows are rebuilt; `nil` if no row can be selected.
    var rowToSelect: Int? {
        let row: Int? =
            switch selectedRow {
            case .part?: rows.firstIndex { $0 == selectedRow }
            case .folded(let group)?: foldedRow { $0 == group.heading }
            case .flag?, .header?, .gap?, nil: selectedKey.flatMap(board.place(of:)).flatMap(rowOrFoldedRow(of:))
            }
        return row ?? nearest(to: selection ?? 0)
    }

    /// The row of a flag or, if its group is folded, of the group; `nil` if neither is listed.
    private func rowOrFoldedRow(of place: FlagBoard.Place) -> Int? {
        rows.firstIndex(of: .flag(place)) ?? foldedRow { $0.includes(place, on: board) }
    }

    private func foldedRow(where matches: (FlagRows.Heading) -> Bool) -> Int? {
        rows.firstIndex { if case .folded(let group) = $0 { matches(group.heading) } else { false } }
    }

    /// Selects a row and scrolls just enough to show the row, and its header if there is room.
    mutating func select(_ row: Int?) {
        selection = row
        guard let row else {
            top = 0
            return
        }
        selectedRow = rows[row]
        if let place = rows[row].place { selectedKey = board.key(at: place) }
        scroll(toShow: row)
    }

    /// Scrolls just enough to show the selection, after the height of the list has changed.
    mutating func keepSelectionInView() {
        if let selection { scroll(toShow: selection) }
    }

    private mutating func scroll(toShow row: Int) {
        let height = max(1, height)
        var first = row
        while height > 2, first > 0, row - first < height - 1, !rows[first - 1].isSelectable { first -= 1 }
        top = min(top, first)
        top = max(top, row - height + 1)
        top = max(0, min(top, rows.count - height))
    }

    /// The row that is `count` rows that can be selected below a row, or above it for a negative count; stops at the
    /// ends of the list.
    func row(_ count: Int, from row: Int) -> Int? {
        let stops = stops
        return stops.firstIndex(of: row).map { stops[max(0, min($0 + count, stops.count - 1))] }
    }

    /// The farthest row within one page of a row; if the page has no other row to select, the next one in this
    /// direction.
    func page(_ direction: Int, from row: Int) -> Int? {
        let limit = row + direction * max(1, height - 2)
        let farthest = direction > 0 ? stops.last { $0 <= limit } : stops.first { $0 >= limit }
        return farthest == row ? self.row(direction, from: row) : farthest
    }

    /// The row itself if it can be selected, otherwise the nearest such row below, otherwise the nearest above.
    func nearest(to row: Int) -> Int? { stops.first { $0 >= row } ?? stops.last }

    /// The first row of the next group; `nil` if no group follows.
    func nextGroup(after row: Int) -> Int? {
        guard let header = (row..<rows.count).dropFirst().first(where: { rows[$0].heading != nil }) else { return nil }
        return nearest(to: header)
    }

    /// The first row of the group of a row. If the given row is that row, the first row of the previous group.
    func previousGroup(before row: Int) -> Int? {
        guard let header = (0..<row).last(where: { rows[$0].heading != nil }) else { return nil }
        guard let first = nearest(to: header), first == row else { return nearest(to: header) }
        return (0..<header).last { rows[$0].heading != nil }.flatMap(nearest)
    }

    /// The row of the next or previous flag, with wrap-around, as n and N move between matches in other programs.
    ///
    /// - Parameter count: the number of flags to move by; negative to move up.
    func match(_ count: Int, from row: Int) -> Int? {
        guard self.row(count, from: row) == row else { return self.row(count, from: row) }
        return nearest(to: count > 0 ? 0 : rows.count - 1)
    }

    /// The number of the selected flag among the listed flags, and how many are listed; `nil` if none is selected.
    var position: (number: Int, count: Int)? {
        guard let selection, rows[selection].place != nil else { return nil }
        return (rows[...selection].count { $0.place != nil }, flagCount)
    }

    /// The category of the selected flag, or the selected folded category, by its index in the catalog.
    var selectedCategory: Int? {
        if case .category(let index) = selectedGroup { return index }
        return selectedPlace.flatMap { board.item(at: $0)?.category }
    }
}
