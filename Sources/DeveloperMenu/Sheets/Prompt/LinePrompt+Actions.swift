import FlagModel
import FlagQueries
import TerminalUI

extension LinePrompt: Sheet {
    static let part = MenuPart(id: "prompt", heading: "In a prompt")
    static let parts = [(part: part, actions: actions + ActionTable.line + ActionTable.programAndHelpWhileTyping)]

    static let actions: [Action] = [
        action(.accept, [.enter], label: "take", help: "Accept what is typed.") { $0.accept(in: &$1) },
        closing([.escape], help: "Close the line and do nothing.") { $1.closeSheet(backTo: $0.behind) },
        action(
            "complete", [.tab], label: "complete", help: "Complete the path, or take the next suggestion.",
            isOffered: { prompt, _ in prompt.purpose.takesPath },
            disabledReason: { prompt, _ in prompt.purpose.takesPath ? nil : prompt.suggestionReason }
        ) { $0.complete(in: &$1) },
        suggestion(.down, [.down, .control("n")], label: "suggestion", "Take the next suggestion."),
        suggestion(.up, [.up, .control("p"), .backTab], "Take the previous suggestion."),
    ]

    private static func suggestion(
        _ movement: Movement, _ keys: [KeyPress], label: String? = nil, _ help: String
    ) -> Action {
        .moving(movement, keys, label: label, help: help) { $0.sheet(Self.self)?.suggestionReason }
    }

    /// Why there is no suggestion to use; `nil` if there is one.
    private var suggestionReason: String? { suggestions.isEmpty ? "There are no suggestions." : nil }

    var isWaiting: Bool { request != nil }

    /// Sets the text to the next suggestion or, to move up, to the previous one.
    mutating func move(_ movement: Movement, in state: MenuState) {
        guard !suggestions.isEmpty else { return }
        let start = movement == .up ? suggestions.count : -1
        let index = movement.index(after: selection ?? start, of: suggestions.count)
        (selection, field, error) = (index, TextField(suggestions[index].text), nil)
    }

    mutating func edit(_ edit: LineEdit, in state: MenuState) { change { $0.edit(edit) } }

    mutating func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        if let text = key.typedText { change { $0.insert(text) } }
        return []
    }

    mutating func write(_ text: String) { change { $0 = TextField(text) } }

    /// Requests completions if the prompt is for a path; otherwise uses the next suggestion.
    fileprivate mutating func complete(in state: inout MenuState) -> [Effect] {
        guard purpose.takesPath else {
            move(.down, in: state)
            return []
        }
        let id = state.makeRequestID()
        completion = id
        return [.completePath(id: id, field.text)]
    }

    /// Uses the typed text for the purpose of the prompt.
    private mutating func accept(in state: inout MenuState) -> [Effect] {
        // A second Enter must not find the file that the first one is writing. A source may never respond.
        guard request == nil || purpose == .open else { return [] }
        let text = field.text
        switch purpose {
        case .value(let targets): error = state.confirmSet(targets, to: text)
        case .member(let source, let name):
            guard let evaluation = state.remote.evaluations.first(where: { $0.source == source }) else {
                error = "\(source) is no longer evaluated."
                break
            }
            // The text of a new member has its name, too.
            let equals = name == nil ? text.firstIndex(of: "=") : nil
            let name = name ?? equals.map { String(text[..<$0]).trimmed } ?? ""
            guard !name.isEmpty else {
                error = "Write the name, the sign = and the value, such as country=FR."
                break
            }
            let value = equals.map { String(text[text.index(after: $0)...]) } ?? text
            let existing = evaluation.context?.first { $0.name == name }
            let json = ContextText.json(value, for: name, known: existing?.value ?? existing?.base)
            let effects = state.change(source, [.set(name: name, value: json)])
            state.closeSheet(backTo: behind)
            return effects
        case .scenario, .export, .importing, .open:
            guard !text.isEmpty else {
                error = purpose.takesPath ? "Name a file." : "Write a name, such as checkout."
                break
            }
            let id = state.makeRequestID()
            (request, error) = (id, nil)
            if case .scenario(let old, let shared) = purpose {
                let saving = ScenarioRequest.save(text, isReplacing: existingFile == text, of: shared)
                return [.scenarios(id: id, old.map { .rename($0, to: text) } ?? saving)]
            }
            if case .importing = purpose { return [.readImport(id: id, path: text)] }
            if purpose == .export {
                return [.exportOverrides(id: id, path: text, isReplacing: existingFile == text)]
            }
            state.show("Opening \(text).")
            return [.open(id: id, .source(text))]
        }
        return []
    }

    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]? {
        switch event {
        case .file(let id, .completed(let paths)): if id == completion { complete(with: paths) }
        case .file(request, .exported(let path, let summary)):
            state.showExported(path, summary, isReplacing: existingFile == field.text)
            return state.closeSheet()
        case .file(request, .exists(let path)):
            (request, existingFile) = (nil, path)
            error = "\(path) exists. \(state.keyWord(of: .accept, in: part)) again replaces it."
        case .file(request, .importRead(let path, let plan)):
            request = nil
            guard case .importing(let isReplacing) = purpose else { break }
            error = state.confirmImport(path, plan, replacing: isReplacing)
        case .file(request, .sharedFound): return state.closeSheet() + state.receive(event)
        case .file(request, .scenarios(let files, let change)):
            guard case .scenario(let old, let shared) = purpose else { break }
            // Shared changes have no secret values.
            let isOfChanges = old == nil && shared == nil
            let sentence = isOfChanges ? state.naming(secretsIn: "scenario", after: change ?? "") : change ?? ""
            state.showChange(sentence, of: field.text, renamedFrom: old, isReplaced: existingFile == field.text)
            return state.open(ScenarioSheet(files, selecting: field.text, in: state))
        case .open(request, .opened(let target)):
            request = nil
            return state.reopen(on: target)
        case .file(request, .refused(let reason)), .open(request, .refused(let reason)):
            (request, existingFile, error) = (nil, nil, reason)
            if purpose == .open { state.dropTypeAhead() }
        case .file, .open, .key, .line, .terminal, .settings, .store, .team, .apps, .remote, .status: return nil
        }
        return []
    }
}

extension MenuState {
    /// Opens a prompt for an input.
    mutating func openPrompt(_ purpose: LinePrompt.Purpose) -> [Effect] {
        var prompt = LinePrompt(purpose)
        // The file to import exists, so the prompt suggests the files of the folder.
        let effects: [Effect] = if case .importing = purpose { prompt.complete(in: &self) } else { [] }
        return open(prompt) + effects
    }

    /// Shows that overrides were exported, even if the prompt was closed meanwhile.
    mutating func showExported(_ path: String, _ summary: String, isReplacing: Bool = false) {
        lastCommands = [commands.command("export", options: isReplacing ? ["--force"] : [], operands: [path])]
        show(naming(secretsIn: "export", after: summary))
    }

    /// A sentence about a file with the changes, and after it, of which secret flags the file has the values.
    fileprivate func naming(secretsIn file: String, after sentence: String) -> String {
        let warning = preferences.secrets.warning(about: file, with: changes.overrides, in: board.catalog)
        return [sentence, warning].compactMap { $0 }.joined(separator: " ")
    }

    /// Handles the result of an export or an import whose prompt was closed meanwhile.
    mutating func receive(_ event: FileEvent) -> [Effect] {
        switch event {
        case .exported(let path, let summary): showExported(path, summary)
        case .exists(let path): show("\(path) exists. Nothing was exported.", .rejection)
        case .refused(let reason): show(reason, .rejection)
        case .sharedFound(let shared, let summary):
            guard let dialog = ScenarioDialog(shared, isShared: true, over: .list, in: self) else { break }
            show(summary)
            return open(dialog)
        case .completed, .importRead, .scenarios: break
        }
        return []
    }
}
