public import FlagModel
import TerminalUI

/// The list of flags: what is asked for, the rows that come of it, which is selected and which is on top.
public struct FlagList: Sendable, Equatable {
    /// One line of the list.
    public enum Row: Sendable, Hashable {
        /// The name of the flags below.
        case header(Heading)
        /// A flag.
        case flag(FlagBoard.Place)
        /// An empty line before a header.
        case gap
    }

    /// What the flags below a header have in common.
    public enum Heading: Sendable, Hashable {
        /// The user wants them on top.
        case pinned
        /// They are overridden, and overridden flags come first.
        case overridden
        /// They are of a category, by its index in the catalog.
        case category(Int)
        /// They are overrides that nobody lists any more.
        case unlisted
        /// They stand in the order of their names.
        case byName
        /// Their keys begin with this, such as `checkout_`; empty for those that share their beginning with none.
        case prefix(String)
    }

    /// What is typed on the filter line.
    public internal(set) var filter = TextField()
    /// `true` when only overridden flags are listed.
    public internal(set) var showsOverriddenOnly = false
    /// In which order flags are listed.
    public internal(set) var order = ListOrder.catalog
    /// The keys of the flags that the user wants on top, in the order in which they were pinned.
    public internal(set) var pins: [String] = []
    /// The flags that are marked.
    public internal(set) var marks = FlagMarks()
    /// The lines, from the first to the last.
    public private(set) var rows: [Row] = []
    /// How many flags are among them.
    public private(set) var flagCount = 0
    /// How many of them stand under the header of each category, by its index in the catalog; none beyond the end. A list,
    /// as the first table of a kind holds the first frame up (see "What a start costs, and what keeps a frame waiting").
    private var countsByCategory: [Int] = []
    /// The index of the selected row; `nil` when no flag is listed.
    public private(set) var selection: Int?
    /// The key of the selected flag; it stays while the flag is out of sight, so that it comes back selected.
    public internal(set) var selectedKey: FlagText?
    /// `true` while what is asked for waits for the flags to be laid out for searching; until then all are listed.
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

    /// What to do with the selection when the rows are made anew.
    enum Reselection {
        /// Stay on the flag wherever it is now; where it is gone, stay near.
        case sameFlag
        /// Go to the first row: what somebody types is looking for the best match.
        case first
    }

    /// Makes the rows anew.
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

    /// How many flags stand under the header of a category, by its index in the catalog.
    func shownCount(ofCategory index: Int) -> Int { index < countsByCategory.count ? countsByCategory[index] : 0 }

    /// While all flags are listed for want of an answer, the selection stays; it goes to the best match when there is
    /// one.
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

    /// An index with the generation of the board that it is made of.
    private struct Indexed: Sendable, Equatable {
        let index: SearchIndex
        let generation: Int

        static func == (left: Indexed, right: Indexed) -> Bool { left.generation == right.generation }
    }

    /// Takes over an index that was made while nobody searched.
    mutating func take(_ index: SearchIndex, for board: FlagBoard) {
        // One that comes late, for flags that are no longer there, would point beside them.
        guard index.describes(board.snapshot) else { return }
        indexed = Indexed(index: index, generation: board.generation)
    }

    /// The index, made at once where that takes no longer than a letter may; `nil` where it has to be waited for.
    private mutating func index(for board: FlagBoard) -> SearchIndex? {
        if let indexed, indexed.generation == board.generation { return indexed.index }
        guard board.catalog.items.count <= SearchIndex.quickCount else { return nil }
        let index = SearchIndex(board.snapshot)
        indexed = Indexed(index: index, generation: board.generation)
        return index
    }

    // MARK: what was changed just now

    /// Keeps the selected flag where it is listed, whatever becomes of its override.
    mutating func keepSelected(on board: FlagBoard) {
        guard isArranged, let place = selectedPlace, let key = selectedKey else { return }
        let score = builder(for: board).search.score(board.number(place)) ?? 0
        kept.keep(key, at: .init(score: score, isUnderOverridden: board.isOverridden(place)))
    }

    /// Whether a flag that is not overridden any more only stays listed until the list is asked for something else.
    func isLingering(_ flag: FlagFacts) -> Bool {
        showsOverriddenOnly && flag.override == nil && kept.contains(FlagText(flag.key))
    }

    /// Lists nothing but what is asked for.
    mutating func forgetKept() { kept = KeptFlags() }

    /// `true` while an override decides whether and where a flag is listed.
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

    /// Selects a row and scrolls just enough to show it, with its header where there is room.
    mutating func select(_ row: Int?, height: Int, board: FlagBoard) {
        selection = row
        guard let row, case .flag(let place) = rows[row] else {
            top = 0
            return
        }
        selectedKey = board.key(at: place)
        scroll(toShow: row, height: height)
    }

    /// Scrolls just enough to show the selection, after something else has taken or given back lines of the list.
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

    /// The flag a page away: the last one that was on the screen before, and always another one while there is one.
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

    /// The first flag of the category after the one a row lies in.
    func nextCategory(after row: Int) -> Int? {
        guard let header = (row..<rows.count).first(where: { rows[$0].isHeader }) else { return nil }
        return nearestFlag(to: header)
    }

    /// The first flag of the category a row lies in, or of the one before where the row is that flag.
    func previousCategory(before row: Int) -> Int? {
        guard let header = (0..<row).last(where: { rows[$0].isHeader }) else { return nil }
        guard let first = nearestFlag(to: header), first == row else { return nearestFlag(to: header) }
        return (0..<header).last { rows[$0].isHeader }.flatMap(nearestFlag)
    }

    /// The category that the selected flag belongs to, by its index in the catalog.
    func selectedCategory(on board: FlagBoard) -> Int? {
        guard case .item(let index) = selectedPlace else { return nil }
        return board.catalog.items[index].category
    }
}

extension FlagList.Row {
    var isFlag: Bool { if case .flag = self { true } else { false } }
    var isHeader: Bool { if case .header = self { true } else { false } }
}
