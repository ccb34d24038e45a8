import FlagModel
import FlagQueries
import TerminalUI

/// The sheet that lists the scenarios, each with what adding it would change.
struct ScenarioSheet: Equatable {
    /// The scenarios; `nil` while they are read.
    private(set) var files: [ScenarioFile]?
    /// What adding each scenario changes; `nil` if its file cannot be read.
    private let plans: [ScenarioPlan?]
    /// The index of the selected scenario.
    var selection = 0
    /// The name of the scenario to delete after a confirmation, or while it is deleted.
    private var deleted: String?
    /// The request to delete it; `nil` until that is confirmed.
    private var request: RequestID?

    /// - Parameter name: the name of the scenario to select.
    init(_ files: [ScenarioFile]? = nil, selecting name: String? = nil, in state: MenuState) {
        self.files = files
        selection = files?.firstIndex { $0.name == name } ?? 0
        plans = (files ?? []).map { state.plan($0, isReplacing: false) }
    }

    /// The selected scenario; `nil` if there are none.
    var selected: ScenarioFile? {
        guard let files, files.indices.contains(selection) else { return nil }
        return files[selection]
    }
}

extension ScenarioSheet: ListSheet {
    static let part = MenuPart(id: "scenarios", heading: "In the scenarios")

    static let actions: [Action] =
        [
            action(
                .accept, [.enter], label: "preview", help: "Show what the scenario changes, and ask.",
                disabledReason: { sheet, _ in sheet.selected?.error ?? sheet.selectionReason }
            ) { sheet, state in
                sheet.deleted = nil
                guard let file = sheet.selected, let dialog = ScenarioDialog(file, over: .sheet(sheet), in: state)
                else {
                    return []
                }
                return state.open(dialog)
            },
            action(
                "save", ["n"], label: "save", help: "Save the current changes as a scenario.", .changesValues,
                disabledReason: { $1.changeCount == 0 ? "Nothing is changed, so a scenario would be empty." : nil }
            ) { $1.open(LinePrompt(.scenario(renaming: nil), over: $1.mode)) },
            action(
                "rename", ["R"], label: "rename", help: "Give the scenario another name.", .changesValues,
                disabledReason: { sheet, _ in sheet.selected?.builtInReason ?? sheet.selectionReason }
            ) { sheet, state in
                let name = sheet.selected?.name
                return state.open(LinePrompt(.scenario(renaming: name), text: name ?? "", over: state.mode))
            },
            action(
                "delete", ["D"], label: "delete", help: "Delete the scenario; asks.", .changesValues,
                disabledReason: { sheet, _ in sheet.selected?.builtInReason ?? sheet.selectionReason }
            ) { sheet, _ in
                sheet.deleted = sheet.selected?.name
                return []
            },
            action(
                "confirmDelete", ["y"], label: "yes", help: "Confirm that the scenario is deleted.", .changesValues,
                isOffered: { sheet, _ in sheet.deleted != nil },
                disabledReason: {
                    $0.deleted == nil ? "\($1.keyWord(of: "delete", in: part)) deletes a scenario." : nil
                }
            ) { sheet, state in
                guard let name = sheet.deleted else { return [] }
                let id = state.makeRequestID()
                sheet.request = id
                return [.scenarios(id: id, .delete(name))]
            },
            closing([.escape, "q", "s"], help: "Close the scenarios, or cancel deleting one.") {
                sheet, state in
                guard sheet.request == nil else { return [] }
                guard sheet.deleted != nil else { return state.closeSheet() }
                sheet.deleted = nil
                return []
            },
        ] + movements("scenario")

    private var selectionReason: String? { selected == nil ? "There is no scenario to choose." : nil }

    var isWaiting: Bool { files == nil || request != nil }
    func choices(in state: MenuState) -> [ScenarioFile] { files ?? [] }
    mutating func select(_ index: Int, in state: MenuState) { (selection, deleted) = (index, nil) }
    mutating func update(in state: inout MenuState) { self = Self(files, selecting: selected?.name, in: state) }

    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]? {
        guard case .file(_, .scenarios(let new, let change)) = event else {
            if case .file(request, .refused) = event { (deleted, request) = (nil, nil) }
            return nil
        }
        if let deleted, let change {
            state.lastCommands = [state.commands.command("scenario delete", options: ["--yes"], operands: [deleted])]
            state.show(change)
        }
        self = Self(new, selecting: selected?.name, in: state)
        return []
    }
}

// The view: a row for each scenario, and the file of the selected one.
extension ScenarioSheet {
    func view(in state: MenuState) -> SheetList {
        let columns = min(100, state.size.columns - 4)
        let text = WrappedText(columns: columns, charset: state.charset)
        let sentence = deletion(in: state).map { text.lines(of: $0, state.theme.error) } ?? []
        let place = selected.map { text.lines(of: $0.error ?? $0.path, atMost: 3, state.theme.faint) } ?? []
        return SheetList(
            state, title: "Scenarios", columns: columns, above: sentence,
            rows: SheetList.rows(
                (files ?? []).indices.map { (files?[$0].name ?? "", note(on: $0, in: state)) }, columns: columns, state),
            below: place, selection: selection, empty: emptySentence(in: state))
    }

    func printed(in state: MenuState) -> LineModeSheet {
        guard let files, let selected else {
            return LineModeSheet(lines: [emptySentence(in: state)], prompt: "Scenario: ")
        }
        func key(_ id: Action.ID) -> String { state.keyName(of: id, in: part) }
        let ways = "\(key("rename")) renames and \(key("delete")) deletes \(selected.name), "
        return LineModeSheet(
            before: [deletion(in: state) ?? "Scenarios:"],
            numbering: files.enumerated().map { index, file in
                "\(file.name): \(note(on: index, in: state)) \(file.error ?? file.path)"
            },
            after: [
                "A number shows what it changes, \(key("save")) saves the current changes, "
                    + "\(selected.file == nil ? "" : ways)Enter goes back."
            ],
            prompt: "Scenario: ")
    }

    /// How many changes a scenario has, whether it is applied, and what adding it would change.
    private func note(on index: Int, in state: MenuState) -> String {
        guard let plan = plans[index], let entries = try? files?[index].content.get() else { return "Not readable." }
        let applied = state.changes.appliedWords(of: plan.name)
        let left = plan.leftOut.isEmpty ? "" : ", \(plan.leftOut.count) left out"
        let count = entries.changeCount.counted("change")
        return "\(count)\(left)\(applied.map { ", \($0)" } ?? ""). \(plan.summary)"
    }

    private func emptySentence(in state: MenuState) -> String {
        let save = state.keyName(of: "save", in: part)
        return isWaiting ? "Reading." : "No scenarios yet. Change flags, then \(save) saves the changes as one."
    }

    /// The sentence that asks whether to delete a scenario; `nil` if none is to be deleted.
    private func deletion(in state: MenuState) -> String? {
        deleted.map { "Delete \($0)? No undo. \(state.keyWord(of: "confirmDelete", in: part)) deletes it." }
    }
}

extension MenuState {
    mutating func openScenarios() -> [Effect] {
        open(ScenarioSheet(in: self)) + [.scenarios(id: makeRequestID(), .list)]
    }

    /// Shows that a scenario was saved or renamed.
    mutating func showChange(_ change: String, of name: String, renamedFrom old: String?, isReplaced: Bool) {
        let (verb, options) = (old == nil ? "save" : "rename", isReplaced ? ["--force"] : [])
        let operands = [old, name].compactMap { $0 }
        lastCommands = [commands.command("scenario \(verb)", options: options, operands: operands)]
        show(change)
    }

    /// The plan to apply a scenario now; `nil` if its file cannot be read.
    func plan(_ file: ScenarioFile, isReplacing: Bool) -> ScenarioPlan? {
        try? board.plan(file, for: remote.evaluations, over: changes, replacing: isReplacing)
    }
}
