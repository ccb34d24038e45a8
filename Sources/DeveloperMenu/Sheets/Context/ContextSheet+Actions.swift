import FlagModel
import FlagQueries
import TerminalUI

extension MenuPart {
    /// The sheet of evaluation contexts and conditions.
    public static let context = MenuPart(id: "context", heading: "In the context sheet", opener: .context)
}

extension ContextSheet: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.context, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] = [
        Action(
            .accept, [.enter, " "], label: "change", help: "Edit the member, or turn the condition on or off.",
            .changesValues
        ) { $0.changeSelectedContextRow() },
        Action(
            .clear, ["x", .delete, .backspace], label: "take back",
            help: "Undo your change, or remove the member.", .changesValues, rank: .frequent,
            disabledReason: \.contextClearReason
        ) { $0.clearSelectedContextRow() },
        Action(
            .addMember, ["a"], label: "add", help: "Add a member to the context.", .changesValues,
            disabledReason: \.contextAddReason
        ) { $0.promptForMember(of: $0.selectedContextRow?.source ?? 0) },
        Action(
            "resetContext", ["R"], label: "reset", help: "Undo all your changes for the source.",
            .changesValues, disabledReason: \.contextResetReason
        ) { state in
            state.selectedContextRow?.source.map { state.change($0, [.reset]) } ?? []
        },
        Action(.cancel, [.escape, "q", "c"], label: "back", help: "Close the sheet.", .isWayOut, rank: .always) {
            $0.closeSheet()
        },
        .moving(.down, [.down, "j", .control("n")], help: "Move to the next line."),
        .moving(.up, [.up, "k", .control("p")], help: "Move to the previous line."),
        .moving(.pageDown, [.pageDown], help: "Move one page down."),
        .moving(.pageUp, [.pageUp], help: "Move one page up."),
        .moving(.first, [.home, "g"], help: "Move to the first line."),
        .moving(.last, [.end, "G"], help: "Move to the last line."),
    ]

    var part: MenuPart { .context }
    var mode: MenuState.Mode { .context(self) }

    mutating func move(_ movement: Movement, in state: MenuState) {
        let page = max(1, state.layout.sheetRows - 3)
        selection = movement.index(after: selection, of: state.contextChoices.count, page: page)
    }
}

// Changing the evaluation context and conditions.
extension MenuState {
    mutating func openContext() -> [Effect] {
        mode = .context(ContextSheet())
        return []
    }

    /// Opens the prompt for the value of the selected member, or switches the selected condition. A condition cycles
    /// through three settings: its rule, on, and off.
    fileprivate mutating func changeSelectedContextRow() -> [Effect] {
        guard let sheet = sheet(ContextSheet.self) else { return [] }
        let row = selectedContextRow
        if let member = member(row), let source = row?.source {
            var prompt = LinePrompt(.contextValue(source: remote.evaluations[source].source, name: member.name))
            prompt.field = TextField(
                member.value == nil ? member.base.map { ContextText.shown($0) } ?? "" : member.text)
            prompt.behind = sheet.mode
            mode = .prompt(prompt)
        } else if let condition = condition(row), let source = row?.source {
            let nextForced: Bool? = condition.forced.map { $0 ? false : nil } ?? true
            return change(source, [remote.evaluations[source].decision(on: condition.name, nextForced)])
        } else if let source = row?.source {
            return promptForMember(of: source)
        }
        return []
    }

    /// Undoes the user's change of the selected row. If the user did not change the row's member, removes the member
    /// from the context.
    fileprivate mutating func clearSelectedContextRow() -> [Effect] {
        let row = selectedContextRow
        guard let source = row?.source else { return [] }
        if let member = member(row) { return change(source, [member.removal]) }
        return condition(row).map { change(source, [remote.evaluations[source].decision(on: $0.name, nil)]) } ?? []
    }

    /// Opens the prompt for a new member. Suggests the members that conditions use but that the context does not have.
    ///
    /// - Parameter source: the index of the source.
    fileprivate mutating func promptForMember(of source: Int) -> [Effect] {
        guard let sheet = sheet(ContextSheet.self), remote.evaluations.indices.contains(source) else { return [] }
        let presentNames = Set((remote.evaluations[source].context ?? []).filter { $0.value != nil }.map(\.name))
        var suggestedNames: [String] = []
        var suggestions: [LinePrompt.Suggestion] = []
        for condition in remote.evaluations[source].conditions {
            for name in condition.wants where !presentNames.contains(name) && !suggestedNames.contains(name) {
                suggestedNames.append(name)
                suggestions.append(LinePrompt.Suggestion(text: "\(name)=", note: "used by \(condition.name.string)"))
            }
        }
        var prompt = LinePrompt(.contextMember(source: remote.evaluations[source].source), suggestions: suggestions)
        prompt.behind = sheet.mode
        mode = .prompt(prompt)
        return []
    }

    /// Sets a member of a source's context.
    ///
    /// - Parameters:
    ///   - text: the typed value or, if `name` is `nil`, the name and the value, such as `country=FR`.
    ///   - name: the member's name; `nil` if the text contains the name.
    ///   - source: the name of the source.
    /// - Returns: the effects, and the error in the text as a sentence; the error is `nil` if the text is valid.
    mutating func setMember(
        _ text: String, named name: String?, of source: String
    ) -> (effects: [Effect], error: String?) {
        guard let index = remote.evaluations.firstIndex(where: { $0.source == source }) else {
            return ([], "\(source) is no longer evaluated.")
        }
        guard let (name, value) = name.map({ ($0, text) }) ?? Self.member(in: text) else {
            return ([], "Write the name, the sign = and the value, such as country=FR.")
        }
        let existing = remote.evaluations[index].context?.first { $0.name == name }
        let json = ContextText.json(value, for: name, known: existing?.value ?? existing?.base)
        return (change(index, [.set(name: name, value: json)]), nil)
    }

    /// The name and the value in a text such as `country=FR`; `nil` if there is no name or no `=`.
    private static func member(in text: String) -> (String, String)? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let name = String(text[..<equals]).trimmed
        return name.isEmpty ? nil : (name, String(text[text.index(after: equals)...]))
    }

    /// Requests edits of a source's context override.
    ///
    /// - Parameter source: the index of the source.
    fileprivate mutating func change(_ source: Int, _ edits: [ContextEdit]) -> [Effect] {
        let evaluations = remote.evaluations
        guard evaluations.indices.contains(source) else { return [] }
        let change = ContextChange(source: evaluations[source].source, edits: edits)
        let id = makeRequestID()
        lastCommands = commands(for: edits, ofSource: evaluations[source].source)
        remote.contextChanges.append(.init(id: id, change: change, values: board.values.remote))
        return [.changeContext(id: id, change)]
    }

    /// Handles the result of a changed context override.
    mutating func receive(_ report: ContextReport) {
        switch report {
        case .changed(let id, let content, let notice):
            let previousValues = remote.contextChanges.first { $0.id == id }?.values ?? board.values.remote
            remote.endContextChange(id)
            remote.activity = .idle
            use(content, isResponse: true)
            show(notice ?? changeSentence(since: previousValues))
        case .awaited(let id, let evaluations, let notice):
            remote.endContextChange(id)
            (remote.contextValues, remote.savedEvaluations) = (.awaited, evaluations)
            show(notice ?? "Saved. Fetching its values.")
        case .withoutValues(let id, let errors, let evaluations):
            if let id { remote.endContextChange(id) }
            remote.activity = .idle
            (remote.contextValues, remote.savedEvaluations, remote.errors) = (.missing, evaluations, errors)
            showContextHasNoValues()
        case .refused(let id, let reason):
            remote.endContextChange(id)
            show(reason, .rejection)
        }
        closeSheetsWithoutContent()
    }

    /// Shows that the sources have no values yet for the changed context.
    mutating func showContextHasNoValues() {
        guard remote.fetchedAt != nil else {
            let key = keyWord(of: .context)
            return show("There are no values for this context. \(key) changes it.", .rejection)
        }
        show("Saved, but this context has no values yet. Earlier values are shown.", .rejection)
    }

    /// Updates the open sheet after flags or contexts changed. Closes an option list without options, and a context
    /// sheet without rows.
    mutating func closeSheetsWithoutContent() {
        closeEmptyOptionList()
        refreshDialog()
        guard case .context(var sheet) = mode else { return }
        sheet.selection = max(0, min(sheet.selection, contextChoices.count - 1))
        mode = contextChoices.isEmpty ? .list : .context(sheet)
    }

    /// Why there is no context to change; `nil` if there is one.
    var contextReason: String? {
        contextChoices.isEmpty ? "No source here uses a context or has conditions." : nil
    }

    /// Why the selected row cannot be cleared; `nil` if it can.
    var contextClearReason: String? {
        let row = selectedContextRow
        if let condition = condition(row) {
            return condition.forced == nil ? "The rule of \(condition.name.string) is used already." : nil
        }
        guard let member = member(row) else { return "Nothing to restore here." }
        return member.isOwn || member.value != nil ? nil : "Nothing to restore here."
    }

    /// Why no member can be added; `nil` if one can.
    var contextAddReason: String? {
        guard let source = selectedContextRow?.source else { return contextReason }
        return remote.evaluations[source].context == nil ? "This source does not use a context." : nil
    }

    /// Why there are no changes to reset for the selected row's source; `nil` if there are.
    var contextResetReason: String? {
        guard let source = selectedContextRow?.source else { return contextReason }
        return remote.evaluations[source].isChanged ? nil : "Nothing was changed here."
    }

    /// The commands equivalent to edits of a context; empty if there are several sources, or if no command can make an
    /// edit.
    func commands(for edits: [ContextEdit], ofSource name: String) -> [ShellCommand] {
        guard remote.evaluations.count == 1, let source = remote.evaluations.first, source.source == name else {
            return []
        }
        var (options, operands): ([String], [String]) = ([], [])
        for edit in edits {
            switch edit {
            case .set(let name, let value): operands.append("\(name)=\(ContextText.shown(value, for: name))")
            case .unset(let name): options += ["--unset", name]
            case .restore(let name):
                // `--unset` would leave out the project file's member instead of restoring it.
                guard source.context?.first(where: { $0.name == name })?.base == nil else { return [] }
                options += ["--unset", name]
            case .decide(let name, let applies): options += ["--condition", "\(name)=\(applies ? "on" : "off")"]
            case .leaveToRule(let name, _): options += ["--condition", "\(name)=auto"]
            case .reset: options.append("--reset")
            }
        }
        return [command("context", options: options, operands: operands)]
    }
}
