import FlagModel
import FlagQueries
import TerminalUI

/// The sheet that asks what to reset: this category, what is shown, or everything. The list of what changes is shown
/// before it happens.
struct ResetSheet: Equatable {
    /// The index of the selected entry.
    var selection = 0

    /// What to reset.
    enum Scope: CaseIterable {
        case category, shown, everything
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
            scope("category", "c", .category, "Reset the flags of this category; lists and asks."),
            scope("shown", "s", .shown, "Reset the marked or shown flags; lists and asks."),
            scope("everything", "a", .everything, "Reset everything; lists and asks."),
            closing([.escape, "q", "X"], help: "Close the sheet and reset nothing."),
        ] + movements("entry")

    private static func scope(_ id: Action.ID, _ key: KeyPress, _ scope: Scope, _ help: String) -> Action {
        action(id, [key], label: id.rawValue, help: help, .changesValues) { $0.confirm(scope, in: &$1) }
    }

    var part: MenuPart { .reset }
    func entryCount(in state: MenuState) -> Int { Scope.allCases.count }

    /// Opens the dialog with the flags to reset, or says that there are none.
    private func confirm(_ scope: Scope, in state: inout MenuState) -> [Effect] {
        switch scope {
        case .everything: return state.confirmClearAll()
        case .category:
            let places = state.overriddenInSelectedCategory
            guard !places.isEmpty else {
                state.show("Nothing in this category is overridden.", .rejection)
                break
            }
            let plan = BulkPlan.clearing(
                places.map(state.board.facts(at:)), scope: "in \(state.selectedCategoryName)")
            return state.open(BulkDialog(plan: plan, commands: state.commandsToClearCategory))
        case .shown:
            let targets = state.bulkTargets
            let flags = state.facts(ofKeys: targets.keys).filter { $0.override != nil }
            guard !flags.isEmpty else {
                state.show(state.reasonForNoFlags(targets), .rejection)
                break
            }
            let adjective = targets.areMarked ? "marked" : state.isNarrowed ? "listed" : ""
            return state.open(
                BulkDialog(
                    plan: .clearing(flags, adjective: adjective), commands: state.commandsToClear(targets),
                    otherKeys: targets.fuzzyOnly))
        }
        return []
    }

    /// The entries with their keys and what they would reset.
    private func entries(in state: MenuState) -> [(key: String, name: String, count: String)] {
        let targets = state.bulkTargets
        let shown = targets.keys.count { state.board.values.overrides[$0] != nil }
        let names = [
            "this category, \(state.selectedCategoryName)", targets.areMarked ? "marked" : "shown", "everything",
        ]
        let counts = [state.overriddenInSelectedCategory.count, shown, state.changeCount]
        return zip(["category", "shown", "everything"] as [Action.ID], zip(names, counts)).map { id, entry in
            (state.keyName(of: id, in: .reset), entry.0, "\(entry.1) changed")
        }
    }

    func view(in state: MenuState) -> SheetList {
        let columns = min(60, state.size.columns - 4)
        let entries = entries(in: state)
        let width = entries.map { DisplayText.width($0.name, charset: state.charset) }.max() ?? 0
        let rows = entries.enumerated().map { index, entry in
            let name = DisplayText.padded(entry.name, to: min(width, columns - 18), charset: state.charset)
            let line = StyledLine("\(entry.key)  ", state.theme.key).adding(name)
                .adding("  \(entry.count)", state.theme.faint)
            return SheetList.Row(entry: index, line: line)
        }
        return SheetList(state, title: "Reset", columns: columns, rows: rows, selection: selection)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        LineModeSheet(
            before: ["What to reset:"], numbering: entries(in: state).map { "\($0.name): \($0.count)." },
            after: ["Enter goes back."], prompt: "Reset: ")
    }
}

extension MenuState {
    /// Why no reset is possible, as a sentence; `nil` if one is.
    var nothingToResetReason: String? { changeCount == 0 ? "Nothing is overridden." : nil }

    /// The places of the overridden flags in the selected flag's category.
    var overriddenInSelectedCategory: [FlagBoard.Place] {
        guard let category = list.selectedCategory(on: board) else {
            guard list.selectedPlace != nil else { return [] }
            return board.unlistedKeys.indices.map(FlagBoard.Place.unlisted).filter(board.isOverridden)
        }
        return board.overriddenItems(in: board.catalog.categories[category].items).map(FlagBoard.Place.item)
    }

    fileprivate var selectedCategoryName: String {
        list.selectedCategory(on: board).map { board.catalog.categories[$0].name.string }
            ?? FlagRows.unlistedHeading.string
    }
}
