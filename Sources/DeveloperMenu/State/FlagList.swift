public import FlagModel
public import FlagQueries
import TerminalUI

/// The list of flags: the board that it lists, its filter and order, the resulting rows, the selected row and the
/// scroll position.
public struct FlagList: Sendable, Equatable {
    /// The flags and their values.
    public internal(set) var board: FlagBoard
    /// The number of visible rows.
    var height = 0
    /// Whether groups have empty lines between them.
    var hasGaps = false
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
    /// The indices of the rows that can be selected.
    private(set) var stops: [Int] = []
    /// The number of rows that are flags.
    public private(set) var flagCount = 0
    /// The index of the selected row; `nil` if no flag is listed.
    public internal(set) var selection: Int?
    /// The row that was selected last. It stays set while no row is listed.
    var selectedRow: FlagRows.Row?
    /// The key of the selected flag. It stays set while the flag is not listed, so that the flag can be selected again.
    public internal(set) var selectedKey: FlagText?
    private(set) var sticky = StickyFlags()
    private var index: SearchIndex?
    /// The index of the first visible row.
    public internal(set) var top = 0

    /// A list of the flags of a board, which has no rows until it is rebuilt.
    init(_ board: FlagBoard) { self.board = board }

    /// Rebuilds the rows, after a change of the flags, the filter or the order.
    mutating func rebuild(selectingFirst: Bool = false) {
        rows = builder().rows(hasGaps: hasGaps)
        // Found here, as a movement in a long list would otherwise visit every row.
        (stops, flagCount) = ([], 0)
        stops.reserveCapacity(rows.count)
        for index in rows.indices {
            if case .flag = rows[index] { flagCount += 1 } else if !rows[index].isSelectable { continue }
            stops.append(index)
        }
        select(selectingFirst ? nearest(to: 0) : rowToSelect)
    }

    /// Shows the flags of a snapshot.
    mutating func show(_ snapshot: RemoteSnapshot) {
        board.replaceSnapshot(snapshot)
        index = nil
        fittingOrder = board.fittingOrder
        rebuild(selectingFirst: selectedKey == nil)
    }

    /// Shows the values of the team.
    ///
    /// - Returns: whether they differ from those shown before.
    mutating func show(team overrides: FlagTable<FlagOverride>) -> Bool {
        guard overrides != board.values[.team].overrides else { return false }
        board.replaceTeam(overrides)
        rebuild()
        return true
    }

    /// Shows overrides, and the conditions and attributes that the tester changed.
    ///
    /// - Parameter keepingSelected: whether the selected flag stays listed if its override has changed.
    /// - Returns: whether the overrides differ from those shown before.
    mutating func show(
        _ overrides: FlagTable<FlagOverride>, parts newParts: [ContextPart], keepingSelected: Bool
    ) -> Bool {
        let old = board.values.overrides
        let hasChanged = overrides != old
        guard hasChanged || parts != newParts else { return false }
        if keepingSelected, let key = selectedKey?.string, overrides[key]?.value != old[key]?.value { keepSelected() }
        parts = newParts
        if hasChanged { board.replaceOverrides(overrides) }
        rebuild()
        return hasChanged
    }

    /// When the overrides of the flags in view end.
    var endsInView: [FlagTimestamp] {
        let (overrides, team) = (board.values.overrides, board.values[.team].overrides)
        let keys = rows.dropFirst(top).prefix(height).compactMap(\.place).map(board.key(at:))
        return keys.compactMap { (overrides[$0] ?? team[$0])?.end?.time }
    }

    /// The number of flags in folded groups.
    var foldedCount: Int {
        rows.reduce(0) { count, row in if case .folded(let group) = row { count + group.count } else { count } }
    }

    /// Whether groups can be folded: a filter, and the list of changes, show what is folded, too.
    var canFold: Bool { !showsChangesOnly && FlagQuery(filter.text).isEmpty }

    private mutating func builder() -> FlagRows {
        let query = FlagQuery(filter.text)
        return FlagRows(
            board: board, index: query.isEmpty && order != .name ? .empty : currentIndex(), query: query,
            changedParts: showsChangesOnly ? parts : nil, folded: canFold ? folded : [], order: order, pins: pins,
            sticky: sticky)
    }

    // MARK: the index

    /// Stores an index that was built in advance.
    mutating func receive(_ new: SearchIndex) {
        // An index of earlier flags would have wrong positions.
        if new.matches(board.snapshot) { index = new }
    }

    /// The index of the board, which is built now if it was not built in advance.
    private mutating func currentIndex() -> SearchIndex {
        let current = index ?? SearchIndex(board.snapshot)
        index = current
        return current
    }

    // MARK: sticky rows

    /// Makes the row of the selected flag sticky, so that the flag stays listed when its override changes.
    private mutating func keepSelected() {
        guard isAffectedByOverrides, let place = selectedPlace, let key = selectedKey else { return }
        let score = builder().search.score(place) ?? 0
        sticky.keep(key, score: score, isUnderOverridden: board.isOverridden(place))
    }

    /// Whether a flag is no longer overridden, but still listed among overridden flags because its row is sticky.
    func isSticky(_ flag: FlagFacts) -> Bool {
        showsChangesOnly && flag.override == nil && sticky.contains(FlagText(flag.key))
    }

    mutating func dropStickyRows() { sticky = StickyFlags() }

    /// Whether a change of overrides can change which flags are listed, or their order.
    private var isAffectedByOverrides: Bool {
        showsChangesOnly || order == .changedFirst || !filter.characters.isEmpty
    }
    // MARK: the arrangement

    /// Drops the filter, and lists only what the tester changed, or everything again.
    mutating func toggleChangesOnly() {
        filter = TextField()
        showsChangesOnly.toggle()
        dropStickyRows()
        rebuild()
    }

    /// Drops the filter, and lists everything.
    mutating func showAll() {
        filter = TextField()
        showsChangesOnly = false
        dropStickyRows()
        rebuild()
    }

    /// Switches to the next order.
    mutating func changeOrder() {
        chosenOrder = order.next
        dropStickyRows()
        rebuild()
    }

    /// Folds or unfolds a group. A folded group is selected; of an unfolded one, the first flag.
    mutating func changeFolding(of group: FlagRows.Heading) {
        let name = group.name(on: board)
        if folded.remove(name) == nil { folded.insert(name) }
        rebuild()
        moveSelection { list, _ in list.rows.firstIndex { $0.heading == group }.flatMap(list.nearest) }
    }

    /// Pins or unpins a flag.
    ///
    /// - Returns: whether the flag is pinned now.
    mutating func togglePin(of key: String) -> Bool {
        let index = pins.firstIndex { FlagText($0) == FlagText(key) }
        if let index { pins.remove(at: index) } else { pins.append(key) }
        rebuild()
        return index == nil
    }

    /// Restores the arrangement of a session. If the flags have not been read yet, the selected key is remembered and
    /// selected later.
    mutating func restore(_ session: MenuSession) {
        (chosenOrder, folded) = (session.order, session.folded)
        dropStickyRows()
        var seen: Set<FlagText> = []
        pins = session.pins.filter { seen.insert(FlagText($0)).inserted }
        if let key = session.selectedKey { selectedKey = FlagText(key) }
        rebuild()
    }
}
