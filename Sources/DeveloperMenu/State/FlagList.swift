public import FlagModel
public import FlagQueries
import TerminalUI

/// The list of flags: its filter and order, the resulting rows, the selected row and the scroll position.
public struct FlagList: Sendable, Equatable {
    /// The text of the filter line.
    public internal(set) var filter = TextField()
    /// Whether the next typed text replaces the filter.
    var replacesFilter = false
    /// Whether only overridden flags are listed.
    public internal(set) var showsOverriddenOnly = false
    /// The order of the flags.
    public internal(set) var order = ListOrder.catalog
    /// The keys of pinned flags, in the order in which they were pinned.
    public internal(set) var pins: [String] = []
    /// The marked flags.
    public internal(set) var marks = FlagMarks()
    /// The rows.
    public private(set) var rows: [FlagRows.Row] = []
    /// The number of rows that are flags.
    public private(set) var flagCount = 0
    /// The number of flags below the header of each category, by the category's index in the catalog. Categories beyond
    /// the end of the array have no flags. This is not a dictionary because creating the first dictionary of a type
    /// delays the first frame (see "What a start costs, and what keeps a frame waiting").
    private var countsByCategory: [Int] = []
    /// The index of the selected row; `nil` if no flag is listed.
    public private(set) var selection: Int?
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

    /// What to do with the selection when the rows are rebuilt.
    enum Reselection {
        /// Keep the flag selected; if it is not listed, select the nearest flag.
        case sameFlag
        /// Select the first flag, which is the best match.
        case first
    }

    /// Rebuilds the rows.
    mutating func rebuild(from board: FlagBoard, height: Int, hasGaps: Bool, reselecting: Reselection = .sameFlag) {
        rows = builder(for: board).rows(hasGaps: hasGaps)
        count()
        select(rowToSelect(on: board, currentReselection(reselecting)), height: height, board: board)
    }

    private mutating func count() {
        (flagCount, countsByCategory) = (0, [])
        var category: Int?
        for row in rows {
            switch row {
            case .flag:
                flagCount += 1
                if let category { countsByCategory[category] += 1 }
            case .header(.category(let index)):
                let missing = index + 1 - countsByCategory.count
                if missing > 0 { countsByCategory += repeatElement(0, count: missing) }
                category = index
            case .header: category = nil
            case .gap: break
            }
        }
    }

    /// The number of flags below the header of a category, given by its index in the catalog.
    func shownCount(ofCategory index: Int) -> Int { index < countsByCategory.count ? countsByCategory[index] : 0 }

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

    /// The builder of the rows; updates ``isSearching``.
    private mutating func builder(for board: FlagBoard) -> FlagRows {
        let query = FlagQuery(filter.text)
        let needsIndex = !query.isEmpty || order == .name
        let index = needsIndex ? index(for: board) : .empty
        isSearching = index == nil
        return FlagRows(
            board: board, index: index ?? .empty, query: isSearching ? FlagQuery("") : query,
            isOverriddenOnly: showsOverriddenOnly, order: isSearching ? .catalog : order, pins: pins, sticky: sticky)
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
        showsOverriddenOnly && flag.override == nil && sticky.contains(FlagText(flag.key))
    }

    /// Drops all sticky rows.
    mutating func dropStickyRows() { sticky = StickyFlags() }

    /// Whether a change of overrides can change which flags are listed, or their order.
    private var isAffectedByOverrides: Bool {
        showsOverriddenOnly || order == .changedFirst || !filter.characters.isEmpty
    }

    // MARK: the selection

    /// The row to select; `nil` if no flag is listed.
    private func rowToSelect(on board: FlagBoard, _ reselecting: Reselection) -> Int? {
        if reselecting == .sameFlag, let key = selectedKey, let place = board.place(of: key),
            let index = rows.firstIndex(of: .flag(place))
        {
            return index
        }
        return reselecting == .first ? nearestFlag(to: 0) : nearestFlag(to: selection ?? 0)
    }

    /// Selects a row and scrolls just enough to show the row, and its header if there is room.
    mutating func select(_ row: Int?, height: Int, board: FlagBoard) {
        selection = row
        guard let row, case .flag(let place) = rows[row] else {
            top = 0
            return
        }
        selectedKey = board.key(at: place)
        scroll(toShow: row, height: height)
    }

    /// Scrolls just enough to show the selection, after the height of the list has changed.
    mutating func keepSelectionInView(height: Int) {
        if let selection { scroll(toShow: selection, height: height) }
    }

    private mutating func scroll(toShow row: Int, height: Int) {
        let height = max(1, height)
        var first = row
        while height > 2, first > 0, row - first < height - 1, !rows[first - 1].isFlag { first -= 1 }
        top = min(top, first)
        top = max(top, row - height + 1)
        top = max(0, min(top, rows.count - height))
    }

    /// The row of the flag `count` flags below a row, or above it for a negative count; stops at the ends of the list.
    func flag(_ count: Int, from row: Int) -> Int? {
        var index = row
        var lastFlag = row
        var remaining = abs(count)
        let step = count < 0 ? -1 : 1
        while remaining > 0 {
            index += step
            guard rows.indices.contains(index) else { return lastFlag }
            if rows[index].isFlag {
                lastFlag = index
                remaining -= 1
            }
        }
        return lastFlag
    }

    /// The row of the farthest flag within one page of a row; if the page has no other flag, the next flag in this
    /// direction.
    func page(_ direction: Int, from row: Int, height: Int) -> Int? {
        let limit = max(0, min(row + direction * max(1, height - 2), rows.count - 1))
        let candidates = direction > 0 ? Array((row..<limit + 1).dropFirst().reversed()) : Array(limit..<row)
        return candidates.first { rows[$0].isFlag } ?? flag(direction, from: row)
    }

    /// The row itself if it is a flag, otherwise the row of the nearest flag below, otherwise that of the nearest flag
    /// above.
    func nearestFlag(to row: Int) -> Int? {
        guard !rows.isEmpty else { return nil }
        let start = max(0, min(row, rows.count - 1))
        return (start..<rows.count).first { rows[$0].isFlag } ?? (0..<start).last { rows[$0].isFlag }
    }

    /// The row of the first flag below the next header; `nil` if no header follows.
    func nextCategory(after row: Int) -> Int? {
        guard let header = (row..<rows.count).first(where: { rows[$0].isHeader }) else { return nil }
        return nearestFlag(to: header)
    }

    /// The row of the first flag in the group of a row. If the given row is that first flag, the row of the first flag
    /// in the previous group.
    func previousCategory(before row: Int) -> Int? {
        guard let header = (0..<row).last(where: { rows[$0].isHeader }) else { return nil }
        guard let first = nearestFlag(to: header), first == row else { return nearestFlag(to: header) }
        return (0..<header).last { rows[$0].isHeader }.flatMap(nearestFlag)
    }

    /// The number of the selected flag among the listed flags, and how many are listed; `nil` if none is selected.
    var position: (number: Int, count: Int)? {
        selection.map { (rows[...$0].count { $0.isFlag }, flagCount) }
    }

    /// The category of the selected flag, by its index in the catalog.
    func selectedCategory(on board: FlagBoard) -> Int? {
        guard case .item(let index) = selectedPlace else { return nil }
        return board.catalog.items[index].category
    }
}
