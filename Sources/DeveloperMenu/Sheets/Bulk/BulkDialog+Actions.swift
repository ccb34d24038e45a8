import FlagModel
import FlagQueries
import TerminalUI

extension MenuPart {
    /// The dialog that confirms a bulk action.
    public static let dialog = MenuPart(id: "dialog", heading: "In a dialog", opener: .clearAll)
}

extension BulkDialog: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.dialog, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] = [
        Action(.accept, ["y"], label: "yes", help: "Confirm; undo reverts all but an activation.", .changesValues) {
            $0.acceptDialog()
        },
        Action(
            .cancel, ["n", .escape, "q", .enter], label: "cancel (default)", help: "Change nothing.", .isWayOut,
            rank: .always
        ) { $0.closeDialog() },
        Action(
            "others", [.tab], label: "others",
            help: "Switch to the fuzzy matches, or import unknown keys too.",
            currentLabel: { $0.sheet(BulkDialog.self)?.othersLabel }, disabledReason: \.othersReason
        ) { $0.confirmOthers() },
        .moving(.down, [.down, "j"], help: "Scroll the list down."),
        .moving(.up, [.up, "k"], help: "Scroll the list up."),
        .moving(.pageDown, [.pageDown, " "], help: "Scroll the list one page down."),
        .moving(.pageUp, [.pageUp], help: "Scroll the list one page up."),
        .moving(.first, [.home, "g"], help: "Scroll the list to its start."),
        .moving(.last, [.end, "G"], help: "Scroll the list to its end."),
    ]

    var part: MenuPart { .dialog }
    var mode: MenuState.Mode { .dialog(self) }

    mutating func move(_ movement: Movement, in state: MenuState) {
        scrolled = scrolled.moved(movement)
    }
}

// Bulk actions: a dialog lists the flags; after confirmation all of them change, as one undo step.
extension MenuState {
    /// Clears the overrides of the selected category after confirmation. If there is only one
    /// override and its flag is in the list, it is cleared without confirmation.
    mutating func clearSelectedCategory() -> [Effect] {
        let places = overriddenInSelectedCategory
        let plan = BulkPlan.clearing(places.map(board.facts(at:)), scope: "in \(selectedCategoryName)")
        let areAllListed = places.allSatisfy { list.rows.contains(.flag($0)) }
        guard places.count > 1 || !areAllListed else {
            return save(
                plan.edits,
                message: places.first.map {
                    "Cleared \(board.key(at: $0).string). \(keyWord(of: .undo)) undoes it."
                })
        }
        openDialog(plan, commands: commandsToClearCategory)
        return []
    }

    /// Opens the dialog to clear all overrides, with the catalog's flags listed first.
    mutating func confirmClearAll() -> [Effect] {
        let catalogFlags = board.overriddenItems.map { board.facts(at: .item($0)) }
        let catalogKeys = Set(catalogFlags.map { FlagText($0.key) })
        let otherKeys = board.values.overrides.keySet.subtracting(catalogKeys).sorted().map(\.string)
        // Clears only flags in the dialog: overrides that are set while the dialog is open were not confirmed.
        openDialog(
            .clearing(catalogFlags + facts(of: otherKeys), with: store.table.contexts),
            commands: commands(for: .clearAll))
        return []
    }

    /// Opens the dialog to clear the overrides of the marked or listed flags.
    mutating func confirmClearListed() -> [Effect] {
        let targets = bulkTargets
        let flags = facts(of: targets.keys).filter { $0.override != nil }
        guard !flags.isEmpty else {
            show(reasonForNoFlags(targets), .rejection)
            return []
        }
        openDialog(
            .clearing(flags, adjective: targets.areMarked ? "marked" : isNarrowed ? "listed" : ""),
            commands: commandsToClear(targets), otherKeys: targets.fuzzyOnly)
        return []
    }

    /// Opens the prompt for a value of all marked or listed flags. Suggests options, the most common among the flags
    /// first.
    mutating func promptForValueOfListed() -> [Effect] {
        let targets = bulkTargets
        guard !targets.keys.isEmpty else {
            show(reasonForNoFlags(targets), .rejection)
            return []
        }
        var counts: [String: Int] = [:]
        var distinctValues: [String] = []
        for flag in facts(of: targets.keys) {
            for option in flag.options {
                if counts[option.value] == nil { distinctValues.append(option.value) }
                counts[option.value, default: 0] += 1
            }
        }
        // Swift's sort is stable, so options with equal counts stay in list order.
        let mostCommon = distinctValues.sorted { counts[$0, default: 0] > counts[$1, default: 0] }
            .prefix(Self.suggestionLimit)
        mode = .prompt(
            LinePrompt(
                .value(of: targets),
                suggestions: mostCommon.map { value in
                    LinePrompt.Suggestion(
                        text: value,
                        note: "an option of \(counts[value, default: 0]) of \(targets.keys.count.counted("flag"))")
                }))
        return []
    }

    /// The maximum number of suggestions: more than any screen shows.
    private static let suggestionLimit = 20

    func facts(ofKeys keys: [String]) -> [FlagFacts] { facts(of: keys) }

    private func facts(of keys: [String]) -> [FlagFacts] { keys.map { facts(of: FlagText($0)) } }

    /// Why a bulk action would change no flag, as a sentence.
    private func reasonForNoFlags(_ targets: BulkTargets) -> String {
        guard !targets.fuzzyOnly.isEmpty else { return "No listed flag is overridden." }
        let mark = keyName(of: "mark")
        let count = targets.fuzzyOnly.count.counted("flag matches", "flags match")
        let words = JSONOutput.quoted(list.filter.text, limit: 40)
        return "No flag contains \(words); \(count) only fuzzily. \(mark) marks flags."
    }

    /// Opens the dialog to set flags to a value.
    ///
    /// - Returns: why no flag would change, as a sentence; `nil` if the dialog is open.
    mutating func confirmSet(_ targets: BulkTargets, to value: String) -> String? {
        let plan = BulkPlan.setting(facts(of: targets.keys), to: value)
        guard !plan.lines.isEmpty else {
            guard let exception = plan.exceptions.first else { return "All of them already have the value." }
            return "None of the flags can have the value. \(exception.key): \(exception.reason)"
        }
        openDialog(plan, commands: commandsToSet(plan, targets, to: value), otherKeys: targets.fuzzyOnly)
        return nil
    }

    /// Switches the dialog between flags that contain the words of the filter and flags that match only by scattered
    /// letters. In an import, switches between skipping and importing unknown keys.
    fileprivate mutating func confirmOthers() -> [Effect] {
        guard let opened = sheet(BulkDialog.self) else { return [] }
        switch opened.plan.request {
        case .clearing(let keys, _, _, _):
            let otherFlags = facts(of: opened.otherKeys)
            let plan =
                opened.isByLetters
                ? BulkPlan.clearing(otherFlags, adjective: "listed")
                : .clearing(otherFlags, scope: "of fuzzy matches")
            showOtherList(plan, after: opened, keys)
        case .setting(let keys, let value):
            showOtherList(.setting(facts(of: opened.otherKeys), to: value), after: opened, keys)
        case .importing(let file, let imported, let withUnknown, let isReplacing):
            confirmImport(file, imported, withUnknown: !withUnknown, replacing: isReplacing)
        case .activating, .moving, .sharing: break
        }
        return []
    }

    /// Opens the dialog with the other list.
    ///
    /// - Parameter keys: the keys of the list that was shown before.
    private mutating func showOtherList(_ plan: BulkPlan, after opened: BulkDialog, _ keys: [String]) {
        openDialog(plan, commands: commands(for: plan.edits), otherKeys: keys, isByLetters: !opened.isByLetters)
    }

    /// Opens the dialog to import the overrides of a file.
    mutating func confirmImport(_ file: String, _ imported: ImportPlan, withUnknown: Bool = false, replacing: Bool) {
        let plan = BulkPlan.importing(
            imported, from: file, withUnknown: withUnknown, over: changes, replacing: replacing, into: target.app
        ) { facts(of: FlagText($0)) }
        let options = [
            replacing ? "--replace" : nil, withUnknown ? "--new" : nil,
            plan.exceptions.isEmpty ? nil : "--skip-invalid",
        ]
        openDialog(plan, commands: [command("import", options: options.compactMap { $0 }, operands: [file])])
    }

    /// Why the dialog has no other list to show; `nil` if it has one.
    fileprivate var othersReason: String? {
        sheet(BulkDialog.self)?.othersLabel == nil ? "There is no other list to show." : nil
    }

    mutating func openDialog(
        _ plan: BulkPlan, commands: [ShellCommand], otherKeys: [String] = [], isByLetters: Bool = false
    ) {
        mode = .dialog(BulkDialog(plan: plan, commands: commands, otherKeys: otherKeys, isByLetters: isByLetters))
    }

    /// Updates the open dialog after flags changed.
    mutating func refreshDialog() {
        guard case .dialog(var dialog) = mode else { return }
        let followsEdits = dialog.commands == commands(for: dialog.plan.edits)
        dialog.plan = dialog.plan.refreshed(
            over: changes, waiting: remote.waiting ?? [], in: target.app
        ) { facts(of: FlagText($0)) }
        // Updates shell commands that name each key. Commands with a filter stay the same.
        if followsEdits { dialog.commands = commands(for: dialog.plan.edits) }
        mode = .dialog(dialog)
    }

    fileprivate mutating func closeDialog() -> [Effect] {
        let isActivation = sheet(BulkDialog.self)?.plan.bulkAction == .activate
        show(
            isActivation
                ? "Not activated. \(keyWord(of: .activate)) shows the fetched values again." : "Nothing was changed."
        )
        return closeSheet()
    }

    fileprivate mutating func acceptDialog() -> [Effect] {
        guard let dialog = sheet(BulkDialog.self) else { return [] }
        mode = .list
        guard !dialog.plan.lines.isEmpty else {
            show("Nothing to change any more.")
            return []
        }
        let count = dialog.plan.lines.count
        let undoKey = keyWord(of: .undo)
        let done: String
        switch dialog.plan.bulkAction {
        case .activate: return activate()
        case .move, .share: return changeTeam(dialog)
        case .clear:
            let noun = store.table.contexts.isEmpty ? "override" : "change"
            done = "Cleared \(count.counted(noun)). \(undoKey) undoes it."
        case .set: done = "Set \(count.counted("flag")). \(undoKey) undoes it."
        case .importing: done = "Imported \(count.counted("change")). \(undoKey) undoes it."
        }
        list.marks = FlagMarks()
        let effects = save(dialog.plan.edits, message: done, keepingSelected: dialog.plan.bulkAction != .clear)
        lastCommands = dialog.commands
        return effects
    }

    /// Why there are no marked or listed flags to change; `nil` if there are.
    var listedReason: String? {
        list.marks.isEmpty && list.flagCount == 0 ? selectionReason : nil
    }

    /// Why there are no overrides to clear among the marked or listed flags; `nil` if there are.
    var clearListedReason: String? {
        guard list.marks.isEmpty else { return clearReason }
        return listedReason ?? (hasListedOverride ? nil : "No listed flag is overridden.")
    }

    private var hasListedOverride: Bool {
        !board.values.overrides.isEmpty
            && list.rows.contains { if case .flag(let place) = $0 { board.isOverridden(place) } else { false } }
    }

    private var selectedCategoryName: String {
        list.selectedCategory(on: board).map { board.catalog.categories[$0].name.string }
            ?? FlagRows.unlistedHeading.string
    }
}
