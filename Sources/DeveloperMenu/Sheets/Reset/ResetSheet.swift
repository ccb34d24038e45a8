import FlagModel
import FlagQueries
import TerminalUI

/// The sheet that asks what to reset: this category, what is shown, or everything. The list of what changes is shown
/// before it happens.
struct ResetSheet: Equatable {
    /// The index of the selected entry.
    var selection = 0

    /// The sheet, with the first entry that would reset something selected.
    init(in state: MenuState) { selection = Self.entries(in: state).firstIndex { $0.count > 0 } ?? 0 }

    /// What each scope would reset, and how many changes, in the order of the scopes.
    private static func entries(in state: MenuState) -> [(scope: Scope, name: String, count: Int)] {
        let targets = state.list.bulkTargets
        let category = "this category, \(state.list.selectedCategoryName)"
        let shown = targets.keys.count { state.board.values.overrides[$0] != nil }
        return [
            (.category, category, state.list.overriddenInSelectedCategory.count),
            (.shown, targets.areMarked ? "marked" : "shown", shown), (.everything, "everything", state.changeCount),
        ]
    }

    /// What to reset. The raw value is the id of the action.
    enum Scope: String, CaseIterable {
        case category, shown, everything

        var action: Action.ID { Action.ID(rawValue: rawValue) }
    }
}

extension ResetSheet: ListSheet {
    static let part = MenuPart(id: "reset", heading: "In the reset sheet")

    static let actions: [Action] =
        [
            action(.accept, [.enter], label: "list it", help: "List what the selected entry resets, and ask.") {
                $0.confirm(Scope.allCases[$0.selection], in: &$1)
            },
            scope(.category, "c", "Reset the flags of this category; lists and asks."),
            scope(.shown, "s", "Reset the marked or shown flags; lists and asks."),
            scope(.everything, "a", "Reset everything; lists and asks."),
            closing([.escape, "q", "X"], help: "Close the sheet and reset nothing."),
        ] + movements("entry")

    private static func scope(_ scope: Scope, _ key: KeyPress, _ help: String) -> Action {
        action(
            scope.action, [key], label: scope.rawValue, help: help, .changesValues,
            currentLabel: { scope == .shown && !$1.list.marks.isEmpty ? "marked" : nil }
        ) { $0.confirm(scope, in: &$1) }
    }

    func choices(in state: MenuState) -> [Scope] { Scope.allCases }

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
        let entries = Self.entries(in: state)
        let width = entries.map { DisplayText.width($0.name, charset: state.charset) }.max() ?? 0
        let rows = entries.enumerated().map { index, entry in
            let name = DisplayText.padded(entry.name, to: min(width, columns - 18), charset: state.charset)
            let key = state.keyName(of: entry.scope.action, in: part)
            let line = StyledLine("\(key)  ", state.theme.key).adding(name)
                .adding("  \(entry.count) changed", state.theme.faint)
            return SheetList.Row(entry: index, line: line)
        }
        return SheetList(state, title: "Reset", columns: columns, rows: rows, selection: selection)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        LineModeSheet(
            before: ["What to reset:"], numbering: Self.entries(in: state).map { "\($0.name): \($0.count) changed." },
            after: ["Enter goes back."], prompt: "Reset: ")
    }
}

extension FlagList {
    /// The places of the overridden flags in the selected flag's category.
    var overriddenInSelectedCategory: [FlagBoard.Place] {
        guard let category = selectedCategory else {
            guard selectedPlace != nil else { return [] }
            return Array(board.overriddenPlaces(in: board.unlistedPlaces))
        }
        return Array(board.overriddenPlaces(in: board.catalog.categories[category].items))
    }

    fileprivate var selectedCategoryName: String {
        selectedCategory.map { board.catalog.categories[$0].name.string } ?? FlagRows.unlistedHeading.string
    }
}
