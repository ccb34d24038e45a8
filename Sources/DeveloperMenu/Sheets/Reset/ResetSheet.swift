import FlagModel
import FlagQueries
import TerminalUI

/// The sheet that asks what to reset: this category, what is shown, or everything. The list of what changes is shown
/// before it happens.
struct ResetSheet: Equatable {
    /// The index of the selected entry.
    var selection = 0
    /// What each scope would reset, and how many changes, in the order of the scopes. Stored, as counting what is shown
    /// takes time.
    private var entries: [Entry] = []

    struct Entry: Equatable {
        let name: String
        let count: Int
    }

    /// The sheet, with the first entry that would reset something selected.
    init(in state: MenuState) {
        count(in: state)
        selection = entries.firstIndex { $0.count > 0 } ?? 0
    }

    private mutating func count(in state: MenuState) {
        let targets = state.list.bulkTargets
        let shown = targets.keys.count { state.board.values.overrides[$0] != nil }
        entries = [
            Entry(
                name: "this category, \(state.list.selectedCategoryName)",
                count: state.list.overriddenInSelectedCategory.count),
            Entry(name: targets.areMarked ? "marked" : "shown", count: shown),
            Entry(name: "everything", count: state.changeCount),
        ]
    }

    /// What to reset. The raw value is the id of the action.
    enum Scope: String, CaseIterable {
        case category, shown, everything

        var action: Action.ID { Action.ID(rawValue: rawValue) }
    }
}

extension MenuPart {
    /// The sheet that asks what to reset.
    public static let reset = MenuPart(id: "reset", heading: "In the reset sheet")
}

extension ResetSheet: ListSheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.reset, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] =
        [
            action(.accept, [.enter], label: "list it", help: "List what the selected entry resets, and ask.") {
                $0.confirm(Scope.allCases[$0.selection], in: &$1)
            },
            scope(.category, "c", "Reset the flags of this category; lists and asks."),
            scope(.shown, "s", "Reset the marked or shown flags; lists and asks.") {
                $1.list.marks.isEmpty ? nil : "marked"
            },
            scope(.everything, "a", "Reset everything; lists and asks."),
            closing([.escape, "q", "X"], help: "Close the sheet and reset nothing."),
        ] + movements("entry")

    private static func scope(
        _ scope: Scope, _ key: KeyPress, _ help: String,
        currentLabel: @escaping @Sendable (Self, MenuState) -> String? = { _, _ in nil }
    ) -> Action {
        action(scope.action, [key], label: scope.rawValue, help: help, .changesValues, currentLabel: currentLabel) {
            $0.confirm(scope, in: &$1)
        }
    }

    mutating func update(in state: inout MenuState) { count(in: state) }

    var part: MenuPart { .reset }
    func entryCount(in state: MenuState) -> Int { Scope.allCases.count }

    /// Opens the dialog with the flags to reset, or says that there are none.
    private func confirm(_ scope: Scope, in state: inout MenuState) -> [Effect] {
        switch scope {
        case .everything: return state.confirmClearAll()
        case .category:
            let places = state.list.overriddenInSelectedCategory
            guard !places.isEmpty else { return state.show("Nothing in this category is overridden.", .rejection) }
            let plan = BulkPlan.clearing(
                places.map(state.board.facts(at:)), scope: "in \(state.list.selectedCategoryName)")
            return state.confirm(plan, state.commands.resetCategory)
        case .shown:
            let targets = state.list.bulkTargets
            let flags = state.board.facts(ofKeys: targets.keys).filter { $0.override != nil }
            guard !flags.isEmpty else { return state.show(state.reasonForNoFlags(targets), .rejection) }
            let adjective = targets.areMarked ? "marked" : state.list.isNarrowed ? "listed" : ""
            let plan = BulkPlan.clearing(flags, adjective: adjective)
            return state.confirm(plan, state.commands.bulk(plan, targets), otherKeys: targets.fuzzyOnly)
        }
    }

    func view(in state: MenuState) -> SheetList {
        let columns = min(60, state.size.columns - 4)
        let width = entries.map { DisplayText.width($0.name, charset: state.charset) }.max() ?? 0
        let rows = zip(Scope.allCases, entries).enumerated().map { index, row in
            let (scope, entry) = row
            let name = DisplayText.padded(entry.name, to: min(width, columns - 18), charset: state.charset)
            let key = state.keyName(of: scope.action, in: .reset)
            let line = StyledLine("\(key)  ", state.theme.key).adding(name)
                .adding("  \(entry.count) changed", state.theme.faint)
            return SheetList.Row(entry: index, line: line)
        }
        return SheetList(state, title: "Reset", columns: columns, rows: rows, selection: selection)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        LineModeSheet(
            before: ["What to reset:"], numbering: entries.map { "\($0.name): \($0.count) changed." },
            after: ["Enter goes back."], prompt: "Reset: ")
    }
}

extension FlagList {
    /// The places of the overridden flags in the selected flag's category.
    var overriddenInSelectedCategory: [FlagBoard.Place] {
        guard let category = selectedCategory else {
            guard selectedPlace != nil else { return [] }
            return board.unlistedKeys.indices.map(FlagBoard.Place.unlisted).filter(board.isOverridden)
        }
        return board.overriddenItems(in: board.catalog.categories[category].items).map(FlagBoard.Place.item)
    }

    fileprivate var selectedCategoryName: String {
        selectedCategory.map { board.catalog.categories[$0].name.string } ?? FlagRows.unlistedHeading.string
    }
}
