import FlagModel
import FlagQueries
import TerminalUI

extension MenuPart {
    /// A prompt for the input of an action, such as the name of a file.
    public static let prompt = MenuPart(id: "prompt", heading: "In a prompt", opener: .export)
}

extension LinePrompt: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] {
        [(.prompt, actions + ActionTable.line + ActionTable.programAndHelp)]
    }

    private static let actions: [Action] = [
        Action(.accept, [.enter], label: "take", help: "Accept what is typed.") { $0.acceptPrompt() },
        Action(.cancel, [.escape], label: "back", help: "Close the line and do nothing.", .isWayOut, rank: .always) {
            $0.closePrompt()
        },
        Action(
            "complete", [.tab], label: "complete", help: "Complete the path, or take the next suggestion.",
            isOffered: { $0.sheet(LinePrompt.self)?.purpose.takesPath ?? false },
            disabledReason: { $0.sheet(LinePrompt.self)?.purpose.takesPath == true ? nil : $0.suggestionReason }
        ) { $0.completePrompt() },
        .moving(
            .down, [.down, .control("n")], label: "suggestion", help: "Take the next suggestion.",
            disabledReason: \.suggestionReason),
        .moving(
            .up, [.up, .control("p"), .backTab], help: "Take the previous suggestion.",
            disabledReason: \.suggestionReason),
    ]

    var part: MenuPart { .prompt }
    var mode: MenuState.Mode { .prompt(self) }

    mutating func move(_ movement: Movement, in state: MenuState) { suggest(movement == .up ? -1 : 1) }

    mutating func edit(_ edit: LineEdit, in state: MenuState) { change { $0.edit(edit) } }

    func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        guard let text = key.typedText else { return [] }
        state.changeSheet(LinePrompt.self) { $0.change { $0.insert(text) } }
        return []
    }

    func write(_ text: String, in state: inout MenuState) {
        state.changeSheet(LinePrompt.self) { $0.change { $0 = TextField(text) } }
    }
}

extension MenuState {
    /// Opens a prompt for an input.
    mutating func openPrompt(_ purpose: LinePrompt.Purpose) -> [Effect] {
        mode = .prompt(LinePrompt(purpose))
        // The file to import exists, so the prompt suggests the files of the folder.
        if case .importing = purpose { return completePrompt() }
        return []
    }

    fileprivate mutating func acceptPrompt() -> [Effect] { sheet(LinePrompt.self).map { accept($0) } ?? [] }

    /// Requests completions if the prompt is for a path; otherwise uses the next suggestion.
    fileprivate mutating func completePrompt() -> [Effect] {
        guard let prompt = sheet(LinePrompt.self), prompt.purpose.takesPath else { return move(.down) }
        let id = makeRequestID()
        changeSheet(LinePrompt.self) { $0.completion = id }
        return [.completePath(id: id, prompt.field.text)]
    }

    fileprivate mutating func closePrompt() -> [Effect] { sheet(LinePrompt.self).map { close($0) } ?? [] }

    /// Whether the document, source or file that the user named in the prompt is being read or written.
    var isAwaitingFile: Bool { sheet(LinePrompt.self)?.isBusy ?? false }

    /// Why there is no suggestion to use; `nil` if there is one.
    fileprivate var suggestionReason: String? {
        sheet(LinePrompt.self)?.suggestions.isEmpty ?? true ? "There are no suggestions." : nil
    }

    /// Uses the typed text for the purpose of the prompt.
    private mutating func accept(_ prompt: LinePrompt) -> [Effect] {
        let text = prompt.field.text
        switch prompt.purpose {
        case .value(let targets):
            if let error = confirmSet(targets, to: text) { reject(error) }
            return []
        case .contextValue(let source, let name): return setMember(prompt, named: name, of: source)
        case .contextMember(let source): return setMember(prompt, named: nil, of: source)
        case .export, .importing, .open:
            guard !text.isEmpty else {
                reject("Name a file.")
                return []
            }
            let id = makeRequestID()
            wait(for: id)
            if prompt.purpose == .open {
                show("Opening \(text).")
                return [.open(id: id, .source(text))]
            }
            if case .importing = prompt.purpose { return [.readImport(id: id, path: text)] }
            return [.exportOverrides(id: id, path: text, isReplacing: prompt.existingFile == text)]
        }
    }

    private mutating func close(_ prompt: LinePrompt) -> [Effect] {
        mode = prompt.behind
        closeSheetsWithoutContent()
        return []
    }

    /// Sets a member of a context and closes the prompt, or shows why the text is not valid.
    private mutating func setMember(_ prompt: LinePrompt, named name: String?, of source: String) -> [Effect] {
        let (effects, error) = setMember(prompt.field.text, named: name, of: source)
        if let error { reject(error) } else { _ = close(prompt) }
        return effects
    }

    /// Sets the pending request of the prompt; `nil` if the request has finished.
    private mutating func wait(for id: RequestID?) {
        guard case .prompt(var prompt) = mode else { return }
        prompt.request = id
        if id != nil { prompt.error = nil }
        mode = .prompt(prompt)
    }

    /// Shows why the text is not accepted, in the prompt or, if the prompt was closed, as a message. The text stays in
    /// the prompt.
    ///
    /// - Parameter existingFile: the path of a file that the user may replace.
    private mutating func reject(_ reason: String, existingFile: String? = nil) {
        guard case .prompt(var prompt) = mode else { return show(reason, .rejection) }
        prompt.error = reason
        prompt.existingFile = existingFile
        mode = .prompt(prompt)
    }

    /// Handles the result of an export, an import or a path completion. An export finishes even if its prompt was
    /// closed meanwhile.
    mutating func receive(_ event: FileEvent, _ id: RequestID) -> [Effect] {
        let prompt: LinePrompt? = if case .prompt(let open) = mode, open.request == id { open } else { nil }
        if prompt != nil { wait(for: nil) }
        switch event {
        case .exported(let path, let summary):
            let isReplacing = prompt.map { $0.existingFile == $0.field.text } ?? false
            if prompt != nil { mode = .list }
            lastCommands = [command("export", options: isReplacing ? ["--force"] : [], operands: [path])]
            show(summary)
        case .exists(let path):
            reject(
                "\(path) exists. \(keyWord(of: .accept, in: .prompt)) again replaces it.", existingFile: path)
        case .refused(let reason): reject(reason)
        case .completed(let paths):
            changeSheet(LinePrompt.self) { if $0.completion == id { $0.complete(with: paths) } }
        case .importRead(let path, let plan):
            guard let prompt, case .importing(let isReplacing) = prompt.purpose else { break }
            confirmImport(path, plan, replacing: isReplacing)
            if let plan = sheet(BulkDialog.self)?.plan, plan.lines.isEmpty, plan.exceptions.isEmpty {
                mode = .prompt(prompt)
                wait(for: nil)
                reject("\(path) equals the current overrides.")
            }
        }
        return []
    }
}
