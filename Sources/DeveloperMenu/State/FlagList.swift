public import FlagModel
import TerminalUI

/// The list of flags: its filter and order, the resulting rows, the selected one and the scroll position.
public struct FlagList: Sendable, Equatable {
    /// One line of the list.
    public enum Row: Sendable, Hashable {
        /// The heading of the flags below.
        case header(Heading)
        /// A flag.
        case flag(FlagBoard.Place)
        /// An empty line before a header.
        case gap
    }

    /// What the flags below a header have in common.
    public enum Heading: Sendable, Hashable {
        /// Pinned flags.
        case pinned
        /// Overridden flags, which come first.
        case overridden
        /// Flags of a category, by its index in the catalog.
        case category(Int)
        /// Overrides that are no longer listed.
        case unlisted
        /// Flags sorted by name.
        case byName
        /// Flags whose keys have this prefix, such as `checkout_`; empty for those that share a prefix with none.
        case prefix(String)
    }

    /// The text of the filter line.
    public internal(set) var filter = TextField()
    /// `true` if only overridden flags are listed.
    public internal(set) var showsOverriddenOnly = false
    /// The order of the flags.
    public internal(set) var order = ListOrder.catalog
    /// The keys of pinned flags, in the order in which they were pinned.
    public internal(set) var pins: [String] = []
    /// The marked flags.
    public internal(set) var marks = FlagMarks()
    /// The rows.
    public private(set) var rows: [Row] = []
    /// How many of them are flags.
    public private(set) var flagCount = 0
    /// How many of them are below the header of each category, by its index in the catalog; none beyond the end. A
    /// list, as the first dictionary of a type delays the first frame (see "What a start costs, and what keeps a frame
    /// waiting").
    private var countsByCategory: [Int] = []
    /// The index of the selected row; `nil` if no flag is listed.
    public private(set) var selection: Int?
    /// The key of the selected flag; it is remembered while the flag is not listed, so that it is selected again later.
    public internal(set) var selectedKey: FlagText?
    /// `true` while a search waits for its index; until then all flags are listed.
    public private(set) var isSearching = false
    private var awaited: Reselection?
    private(set) var kept = KeptFlags()
    private var indexed: Indexed?
    /// The index of the row on the first line.
    public private(set) var top = 0

    /// The place of the selected flag.
    public var selectedPlace: FlagBoard.Place? {
        guard let selection, case .flag(let place) = rows[selection] else { return nil }
        return place
    }

    /// What to do with the selection when the rows are rebuilt.
    enum Reselection {
        /// Stay on the flag wherever it is now; if it is gone, stay near.
        case sameFlag
        /// Go to the first row, the best match.
        case first
    }

    /// Rebuilds the rows.
    mutating func rebuild(from board: FlagBoard, height: Int, hasGaps: Bool, reselecting: Reselection = .sameFlag) {
        rows = builder(for: board).rows(hasGaps: hasGaps)
        count()
        select(wanted(on: board, whenFound(reselecting)), height: height, board: board)
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

    /// How many flags are below the header of a category, by its index in the catalog.
    func shownCount(ofCategory index: Int) -> Int { index < countsByCategory.count ? countsByCategory[index] : 0 }

    /// While a search is pending and all flags are listed, the selection stays; it goes to the best match after that.
    private mutating func whenFound(_ reselecting: Reselection) -> Reselection {
        guard !isSearching else {
            if reselecting == .first { awaited = .first }
            return .sameFlag
        }
        defer { awaited = nil }
        return filter.text.isEmpty ? reselecting : awaited ?? reselecting
    }

    private mutating func builder(for board: FlagBoard) -> FlagRows {
        let query = FlagQuery(filter.text)
        let needsIndex = !query.isEmpty || order == .name
        let index = needsIndex ? index(for: board) : .empty
        isSearching = index == nil
        return FlagRows(
            board: board, index: index ?? .empty, query: isSearching ? FlagQuery("") : query,
            isOverriddenOnly: showsOverriddenOnly, order: isSearching ? .catalog : order, pins: pins, kept: kept)
    }

    // MARK: the index

    /// An index with the generation of its board.
    private struct Indexed: Sendable, Equatable {
        let index: SearchIndex
        let generation: Int

        static func == (left: Indexed, right: Indexed) -> Bool { left.generation == right.generation }
    }

    /// Takes over an index that was made in advance.
    mutating func take(_ index: SearchIndex, for board: FlagBoard) {
        // A late one, for flags that are gone, would have wrong positions.
        guard index.describes(board.snapshot) else { return }
        indexed = Indexed(index: index, generation: board.generation)
    }

    /// The index, made at once if that is as fast as a letter may take; `nil` if it is pending.
    private mutating func index(for board: FlagBoard) -> SearchIndex? {
        if let indexed, indexed.generation == board.generation { return indexed.index }
        guard board.catalog.items.count <= SearchIndex.quickCount else { return nil }
        let index = SearchIndex(board.snapshot)
        indexed = Indexed(index: index, generation: board.generation)
        return index
    }

    // MARK: what was changed just now

    /// Makes the row of the selected flag sticky, whatever happens to its override.
    mutating func keepSelected(on board: FlagBoard) {
        guard isArranged, let place = selectedPlace, let key = selectedKey else { return }
        let score = builder(for: board).search.score(board.number(place)) ?? 0
        kept.keep(key, at: .init(score: score, isUnderOverridden: board.isOverridden(place)))
    }

    /// Whether a flag is a sticky row that is no longer overridden, until the filter or order changes.
    func isLingering(_ flag: FlagFacts) -> Bool {
        showsOverriddenOnly && flag.override == nil && kept.contains(FlagText(flag.key))
    }

    /// Drops all sticky rows.
    mutating func forgetKept() { kept = KeptFlags() }

    /// `true` if overrides decide whether and where a flag is listed.
    private var isArranged: Bool { showsOverriddenOnly || order == .changedFirst || !filter.characters.isEmpty }

    // MARK: the selection

    private func wanted(on board: FlagBoard, _ reselecting: Reselection) -> Int? {
        if reselecting == .sameFlag, let key = selectedKey, let place = board.place(of: key),
            let index = rows.firstIndex(of: .flag(place))
        {
            return index
        }
        return reselecting == .first ? nearestFlag(to: 0) : nearestFlag(to: selection ?? 0)
    }

    /// Selects a row and scrolls just enough to show it, with its header if there is room.
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

    /// The flag `count` flags away, stopping at the ends.
    func flag(_ count: Int, from row: Int) -> Int? {
        var index = row
        var last = row
        var left = abs(count)
        let step = count < 0 ? -1 : 1
        while left > 0 {
            index += step
            guard rows.indices.contains(index) else { return last }
            if rows[index].isFlag {
                last = index
                left -= 1
            }
        }
        return last
    }

    /// The flag a page away: the last one that was visible before, and always another one if there is one.
    func page(_ direction: Int, from row: Int, height: Int) -> Int? {
        let limit = max(0, min(row + direction * max(1, height - 2), rows.count - 1))
        let passed = direction > 0 ? Array((row..<limit + 1).dropFirst().reversed()) : Array(limit..<row)
        return passed.first { rows[$0].isFlag } ?? flag(direction, from: row)
    }

    /// The flag at a row, else the first one below it, else the last one above.
    func nearestFlag(to row: Int) -> Int? {
        guard !rows.isEmpty else { return nil }
        let start = max(0, min(row, rows.count - 1))
        return (start..<rows.count).first { rows[$0].isFlag } ?? (0..<start).last { rows[$0].isFlag }
    }

    /// The first flag of the category after that of a row.
    func nextCategory(after row: Int) -> Int? {
        guard let header = (row..<rows.count).first(where: { rows[$0].isHeader }) else { return nil }
        return nearestFlag(to: header)
    }

    /// The first flag of the category of a row, or of the previous one if the row is that flag.
    func previousCategory(before row: Int) -> Int? {
        guard let header = (0..<row).last(where: { rows[$0].isHeader }) else { return nil }
        guard let first = nearestFlag(to: header), first == row else { return nearestFlag(to: header) }
        return (0..<header).last { rows[$0].isHeader }.flatMap(nearestFlag)
    }

    /// The category of the selected flag, by its index in the catalog.
    func selectedCategory(on board: FlagBoard) -> Int? {
        guard case .item(let index) = selectedPlace else { return nil }
        return board.catalog.items[index].category
    }
}

extension FlagList.Row {
    var isFlag: Bool { if case .flag = self { true } else { false } }
    var isHeader: Bool { if case .header = self { true } else { false } }
}
