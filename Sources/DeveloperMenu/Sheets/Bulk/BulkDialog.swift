import FlagModel
import FlagQueries
import TerminalUI

/// The dialog that shows the plan of a bulk action and asks for confirmation; the default is no. All flags change as
/// one undo step.
struct BulkDialog: Equatable {
    /// The plan. If values change while the dialog is open, it is made again.
    var plan: BulkPlan
    /// The equivalent shell commands.
    var commands: [ShellCommand]
    /// The keys of the hidden list: the fuzzy matches of the filter or, if ``isByLetters``, the exact matches.
    var otherKeys: [String] = []
    /// Whether the dialog lists the fuzzy matches: flags that match the filter only by scattered letters.
    var isByLetters = false
    /// The scroll position of the list.
    var scrolled = ScrolledLines.none

    /// The label of the key that switches to the other list; `nil` if there is no other list.
    var othersLabel: String? {
        guard case .importing(_, let imported, let withUnknown, _) = plan.request else {
            return otherKeys.isEmpty ? nil : isByLetters ? "exact matches" : "fuzzy matches"
        }
        guard !imported.unknownValues.isEmpty else { return nil }
        return withUnknown ? "leave out unknown keys" : "import unknown keys too"
    }
}

extension BulkDialog: ScrollingSheet {
    static let part = MenuPart(id: "dialog", heading: "In a dialog")

    static let actions: [Action] = [
        action(
            .accept, ["y"], label: "yes", help: "Confirm; undo reverts all but an activation.", .changesValues
        ) { $0.accept(in: &$1) },
        closing(["n", .escape, "q", .enter], label: "cancel (default)", help: "Change nothing.") {
            $0.cancel(in: &$1)
        },
        action(
            "others", [.tab], label: "others", help: "Switch to the fuzzy matches, or import unknown keys too.",
            currentLabel: { sheet, _ in sheet.othersLabel },
            disabledReason: { sheet, _ in sheet.othersLabel == nil ? "There is no other list to show." : nil }
        ) { $0.showOthers(in: &$1) },
    ]

    /// Switches between flags that contain the words of the filter and flags that match only by scattered letters. In
    /// an import, switches between skipping and importing unknown keys.
    private mutating func showOthers(in state: inout MenuState) -> [Effect] {
        let flags = state.board.facts(ofKeys: otherKeys)
        switch plan.request {
        case .clearing(let listed, _, _, _):
            plan = isByLetters ? .clearing(flags, adjective: "listed") : .clearing(flags, scope: "of fuzzy matches")
            otherKeys = listed
        case .setting(let listed, let value): (plan, otherKeys) = (.setting(flags, to: value), listed)
        case .importing(let file, let imported, let withUnknown, let isReplacing):
            _ = state.confirmImport(file, imported, withUnknown: !withUnknown, replacing: isReplacing)
            return []
        case .activating, .moving, .sharing: return []
        }
        (commands, isByLetters, scrolled) = (state.commands.edits(plan.edits), !isByLetters, .none)
        return []
    }

    /// Makes the plan again.
    mutating func update(in state: inout MenuState) {
        let followsEdits = commands == state.commands.edits(plan.edits)
        plan = plan.refreshed(over: state.changes, waiting: state.remote.waiting ?? [], in: state.target.app) {
            state.facts(of: FlagText($0))
        }
        // Updates shell commands that name each key. Commands with a filter stay the same.
        if followsEdits { commands = state.commands.edits(plan.edits) }
    }

    private func cancel(in state: inout MenuState) -> [Effect] {
        state.show(
            plan.bulkAction == .activate
                ? "Not activated. \(state.keyWord(of: .activate)) shows the fetched values again."
                : "Nothing was changed.")
        return state.closeSheet()
    }

    private func accept(in state: inout MenuState) -> [Effect] {
        _ = state.closeSheet()
        guard !plan.lines.isEmpty else {
            return state.show("Nothing to change any more.")
        }
        let count = plan.lines.count
        let done: String
        switch plan.bulkAction {
        case .activate: return state.activate()
        case .move, .share: return state.changeTeam(self)
        case .clear:
            done = "Reset \(count.counted(state.store.table.contexts.isEmpty ? "override" : "change"))."
        case .set: done = "Set \(count.counted("flag"))."
        case .importing: done = "Imported \(count.counted("change"))."
        }
        state.list.marks = FlagMarks()
        let effects = state.save(
            plan.edits, message: "\(done) \(state.keyWord(of: .undo)) undoes it.",
            keepingSelected: plan.bulkAction != .clear)
        state.lastCommands = commands
        return effects
    }
}

extension MenuState {
    /// Opens the dialog that shows a plan and asks for confirmation.
    ///
    /// - Parameter otherKeys: the keys of the fuzzy matches, which the plan leaves out.
    mutating func confirm(_ plan: BulkPlan, _ commands: [ShellCommand], otherKeys: [String] = []) -> [Effect] {
        open(BulkDialog(plan: plan, commands: commands, otherKeys: otherKeys))
    }

    /// Opens the dialog to reset everything, with the catalog's flags listed first.
    mutating func confirmClearAll() -> [Effect] {
        let catalogKeys = board.overriddenPlaces.map(board.key(at:))
        let otherKeys = board.values.overrides.keySet.subtracting(catalogKeys).sorted()
        // Clears only flags in the dialog: overrides that are set while the dialog is open were not confirmed.
        let flags = (catalogKeys + otherKeys).map(board.facts(of:))
        return confirm(.clearing(flags, with: store.table.contexts), [commands.resetAll])
    }

    /// Opens the dialog to set flags to a value.
    ///
    /// - Returns: why no flag would change, as a sentence; `nil` if the dialog is open.
    mutating func confirmSet(_ targets: BulkTargets, to value: String) -> String? {
        let plan = BulkPlan.setting(board.facts(ofKeys: targets.keys), to: value)
        guard !plan.lines.isEmpty else {
            guard let exception = plan.exceptions.first else { return "All of them already have the value." }
            return "None of the flags can have the value. \(exception.key): \(exception.reason)"
        }
        _ = confirm(plan, commands.bulk(plan, targets, settingTo: value), otherKeys: targets.fuzzyOnly)
        return nil
    }

    /// Opens the dialog to import the overrides of a file.
    ///
    /// - Returns: why nothing is left to import, as a sentence; `nil` if the dialog is open.
    mutating func confirmImport(
        _ file: String, _ imported: ImportPlan, withUnknown: Bool = false, replacing: Bool
    ) -> String? {
        let plan = BulkPlan.importing(
            imported, from: file, withUnknown: withUnknown, over: changes, replacing: replacing, into: target.app
        ) { facts(of: FlagText($0)) }
        // The file may have other notes or ends for the same values.
        let isSame = changes.overrides.applying(plan.edits, at: clock) == changes.overrides
        if plan.lines.isEmpty, plan.exceptions.isEmpty, isSame { return "\(file) equals the current overrides." }
        let skips = plan.exceptions.isEmpty ? [] : ["--skip-invalid"]
        let options = (replacing ? ["--replace"] : []) + (withUnknown ? ["--new"] : []) + skips
        _ = confirm(plan, [commands.command("import", options: options, operands: [file])])
        return nil
    }
}
