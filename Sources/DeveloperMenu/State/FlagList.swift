public import FlagModel
public import FlagQueries
import TerminalUI

/// The list of flags: its filter and order, the resulting rows, the selected row and the scroll position.
public struct FlagList: Sendable, Equatable {
    /// The text of the filter line.
    public internal(set) var filter = TextField()
    /// Whether the next typed text replaces the filter.
    var replacesFilter = false
    /// Whether only what the tester changed is listed.
    public internal(set) var showsChangesOnly = false
    /// The order that the user chose; `nil` for the order that fits the document.
    public internal(set) var chosenOrder: ListOrder?
    /// The order that fits the document.
    private(set) var fittingOrder = ListOrder.catalog
    /// The generation of the board that ``fittingOrder`` fits.
    private var fittedGeneration = 0
    /// The order of the flags.
    public var order: ListOrder { chosenOrder ?? fittingOrder }
    /// Whether the user chose another order than the one that fits the document.
    var hasOtherOrder: Bool { order != fittingOrder }
    /// The names of folded groups.
    public internal(set) var folded: Set<String> = []
    /// The conditions and attributes that the tester changed, as the rows show them.
    private(set) var parts: [ContextPart] = []
    /// The keys of pinned flags, in the order in which they were pinned.
    public internal(set) var pins: [String] = []
    /// The marked flags.
    public internal(set) var marks = FlagMarks()
    /// The rows.
    public private(set) var rows: [FlagRows.Row] = []
    /// The number of rows that are flags.
    public private(set) var flagCount = 0
    /// The index of the selected row; `nil` if no flag is listed.
    public private(set) var selection: Int?
    /// The selected condition or attribute; `nil` if another row is selected.
    private(set) var selectedPart: ContextPart?
    /// The heading of the selected folded group; `nil` if another row is selected.
    private(set) var selectedGroup: FlagRows.Heading?
    /// The key of the selected flag. It stays set while the flag is not listed, so that the flag can be selected again.
    public internal(set) var selectedKey: FlagText?
    /// Whether a search waits for the search index. Meanwhile all flags are listed.
    public private(set) var isSearching = false
    /// The reselection to make when the search index is ready.
    private var pendingReselection: Reselection?
    private(set) var sticky = StickyFlags()
    private var indexed: Indexed?
    /// The index of the first visible row.
    public private(set) var top = 0

    /// The place of the selected flag; `nil` if no flag is listed.
    public var selectedPlace: FlagBoard.Place? {
        guard let selection, case .flag(let place) = rows[selection] else { return nil }
        return place
    }

    /// The group of the selected row; `nil` in a list without groups.
    var groupOfSelection: FlagRows.Heading? {
        selection.flatMap { rows[...$0].last { $0.heading != nil }?.heading }
    }

    /// What to do with the selection when the rows are rebuilt.
    enum Reselection {
        /// Keep the flag selected; if it is not listed, select the nearest flag.
        case sameFlag
        /// Select the first flag, which is the best match.
        case first
    }

    /// Rebuilds the rows.
    ///
    /// - Parameter parts: the conditions and attributes that the tester changed.
    mutating func rebuild(
        from board: FlagBoard, parts: [ContextPart] = [], height: Int, hasGaps: Bool,
        reselecting: Reselection = .sameFlag
    ) {
        self.parts = parts
        if fittedGeneration != board.generation {
            (fittingOrder, fittedGeneration) = (board.fittingOrder, board.generation)
        }
        rows = builder(for: board).rows(hasGaps: hasGaps)
        flagCount = rows.count { $0.isFlag }
        select(rowToSelect(on: board, currentReselection(reselecting)), height: height, board: board)
    }

    /// The reselection for the current rows. While a search is pending, all flags are listed and the selection stays;
    /// the best match is selected after the search.
    private mutating func currentReselection(_ reselecting: Reselection) -> Reselection {
        guard !isSearching else {
            if reselecting == .first { pendingReselection = .first }
            return .sameFlag
        }
        defer { pendingReselection = nil }
        return filter.text.isEmpty ? reselecting : pendingReselection ?? reselecting
    }

    /// The number of flags in folded groups.
    var foldedCount: Int {
        rows.reduce(0) { count, row in if case .folded(let group) = row { count + group.count } else { count } }
    }

    /// Whether groups can be folded: a filter, and the list of changes, show what is folded, too.
    var canFold: Bool { !showsChangesOnly && FlagQuery(filter.text).isEmpty }

    /// The builder of the rows; updates ``isSearching``.
    private mutating func builder(for board: FlagBoard) -> FlagRows {
        let query = FlagQuery(filter.text)
        let needsIndex = !query.isEmpty || order == .name
        let index = needsIndex ? index(for: board) : .empty
        isSearching = index == nil
        let scope = FlagRows.Scope(changedParts: showsChangesOnly ? parts : nil, folded: canFold ? folded : [])
        return FlagRows(
            board: board, index: index ?? .empty, query: isSearching ? FlagQuery("") : query, scope: scope,
            order: isSearching ? .catalog : order, pins: pins, sticky: sticky)
    }

    // MARK: the index

    /// An index with the generation of its board.
    private struct Indexed: Sendable, Equatable {
        let index: SearchIndex
        let generation: Int

        static func == (left: Indexed, right: Indexed) -> Bool { left.generation == right.generation }
    }

    /// Stores an index that was built in advance.
    mutating func receive(_ index: SearchIndex, for board: FlagBoard) {
        // An index of earlier flags would have wrong positions.
        guard index.matches(board.snapshot) else { return }
        indexed = Indexed(index: index, generation: board.generation)
    }

    /// The index of a board; `nil` if the index is not built yet and building it now would delay a key press too much.
    private mutating func index(for board: FlagBoard) -> SearchIndex? {
        if let indexed, indexed.generation == board.generation { return indexed.index }
        guard board.catalog.items.count <= SearchIndex.quickCount else { return nil }
        let index = SearchIndex(board.snapshot)
        indexed = Indexed(index: index, generation: board.generation)
        return index
    }

    // MARK: sticky rows

    /// Makes the row of the selected flag sticky, so that the flag stays listed when its override changes.
    mutating func keepSelected(on board: FlagBoard) {
        guard isAffectedByOverrides, let place = selectedPlace, let key = selectedKey else { return }
        let score = builder(for: board).search.score(board.number(place)) ?? 0
        sticky.keep(key, score: score, isUnderOverridden: board.isOverridden(place))
    }

    /// Whether a flag is no longer overridden, but still listed among overridden flags because its row is sticky.
    func isSticky(_ flag: FlagFacts) -> Bool {
        showsChangesOnly && flag.override == nil && sticky.contains(FlagText(flag.key))
    }

    /// Drops all sticky rows.
    mutating func dropStickyRows() { sticky = StickyFlags() }

    /// Whether a change of overrides can change which flags are listed, or their order.
    private var isAffectedByOverrides: Bool {
        showsChangesOnly || order == .changedFirst || !filter.characters.isEmpty
    }

    // MARK: the selection

    /// The row to select; `nil` if no row can be selected.
    private func rowToSelect(on board: FlagBoard, _ reselecting: Reselection) -> Int? {
        if reselecting == .sameFlag, selectedPart != nil || selectedGroup != nil {
            return row(ofPart: selectedPart, orFolded: selectedGroup) ?? nearest(to: selection ?? 0)
        }
        if reselecting == .sameFlag, let key = selectedKey, let place = board.place(of: key),
            let index = rows.firstIndex(of: .flag(place)) ?? folded(around: place, on: board)
        {
            return index
        }
        return nearest(to: reselecting == .first ? 0 : selection ?? 0)
    }

    /// The row of the folded group of a flag; `nil` if its group is not folded.
    private func folded(around place: FlagBoard.Place, on board: FlagBoard) -> Int? {
        rows.firstIndex { if case .folded(let group) = $0 { group.heading.includes(place, on: board) } else { false } }
    }

    /// The row of a condition or an attribute, or of a folded group; `nil` if it is not listed.
    private func row(ofPart part: ContextPart?, orFolded heading: FlagRows.Heading?) -> Int? {
        rows.firstIndex { row in
            switch row {
            case .part(let other): part == other
            case .folded(let group): heading == group.heading
            case .flag, .header, .gap: false
            }
        }
    }

    /// Selects a row and scrolls just enough to show the row, and its header if there is room.
    mutating func select(_ row: Int?, height: Int, board: FlagBoard) {
        selection = row
        guard let row else {
            top = 0
            return
        }
        (selectedPart, selectedGroup) = (nil, nil)
        switch rows[row] {
        case .flag(let place): selectedKey = board.key(at: place)
        case .part(let part): selectedPart = part
        case .folded(let group): selectedGroup = group.heading
        case .header, .gap: break
        }
        scroll(toShow: row, height: height)
    }

    /// Scrolls just enough to show the selection, after the height of the list has changed.
    mutating func keepSelectionInView(height: Int) {
        if let selection { scroll(toShow: selection, height: height) }
    }

    private mutating func scroll(toShow row: Int, height: Int) {
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
        var index = row
        var last = row
        var remaining = abs(count)
        let step = count < 0 ? -1 : 1
        while remaining > 0 {
            index += step
            guard rows.indices.contains(index) else { return last }
            if rows[index].isSelectable {
                last = index
                remaining -= 1
            }
        }
        return last
    }

    /// The farthest row within one page of a row; if the page has no other row to select, the next one in this
    /// direction.
    func page(_ direction: Int, from row: Int, height: Int) -> Int? {
        let limit = max(0, min(row + direction * max(1, height - 2), rows.count - 1))
        let candidates = direction > 0 ? Array((row..<limit + 1).dropFirst().reversed()) : Array(limit..<row)
        return candidates.first { rows[$0].isSelectable } ?? self.row(direction, from: row)
    }

    /// The row itself if it can be selected, otherwise the nearest such row below, otherwise the nearest above.
    func nearest(to row: Int) -> Int? {
        guard !rows.isEmpty else { return nil }
        let start = max(0, min(row, rows.count - 1))
        return (start..<rows.count).first { rows[$0].isSelectable } ?? (0..<start).last { rows[$0].isSelectable }
    }

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

    /// The number of the selected flag among the listed flags, and how many are listed; `nil` if none is selected.
    var position: (number: Int, count: Int)? {
        guard let selection, rows[selection].isFlag else { return nil }
        return (rows[...selection].count { $0.isFlag }, flagCount)
    }

    /// The category of the selected flag, or the selected folded category, by its index in the catalog.
    func selectedCategory(on board: FlagBoard) -> Int? {
        if case .category(let index) = selectedGroup { return index }
        guard case .item(let index) = selectedPlace else { return nil }
        return board.catalog.items[index].category
    }
}
