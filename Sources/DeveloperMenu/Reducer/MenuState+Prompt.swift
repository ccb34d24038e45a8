import FlagModel
import TerminalUI

// A line that asks for what an action needs.
extension MenuState {
    mutating func performInPrompt(_ intent: Intent) -> [Effect] {
        guard case .prompt(var prompt) = mode else { return [] }
        switch intent {
        case .cancel: return close(prompt)
        case .accept: return take(prompt)
        case .moveDown: prompt.suggest(1)
        case .moveUp: prompt.suggest(-1)
        default:
            editPrompt { _ = $0.edit(intent) }
            return []
        }
        mode = .prompt(prompt)
        return []
    }

    mutating func editPrompt(_ change: (inout TextField) -> Void) {
        guard case .prompt(var prompt) = mode else { return }
        let before = prompt.field.text
        change(&prompt.field)
        if prompt.field.text != before { (prompt.selection, prompt.refusal) = (nil, nil) }
        mode = .prompt(prompt)
    }

    private mutating func take(_ prompt: LinePrompt) -> [Effect] {
        let text = prompt.field.text
        switch prompt.purpose {
        case .valueOfListed:
            if let refusal = askToSetListed(to: text) { refuse(refusal) }
            return []
        case .contextValue(let source, let name): return takeMember(prompt, named: name, of: source)
        case .contextMember(let source): return takeMember(prompt, named: nil, of: source)
        case .export, .importing:
            guard !text.isEmpty else {
                refuse("Name a file.")
                return []
            }
            let id = makeRequestID()
            wait(for: id)
            if case .importing = prompt.purpose { return [.readImport(id: id, path: text)] }
            return [.exportOverrides(id: id, path: text, isReplacing: prompt.existingFile == text)]
        }
    }

    private mutating func close(_ prompt: LinePrompt) -> [Effect] {
        guard let sheet = prompt.behind, !contextChoices.isEmpty else { return closeSheet() }
        mode = .context(sheet)
        return []
    }

    private mutating func takeMember(_ prompt: LinePrompt, named name: String?, of source: String) -> [Effect] {
        let (effects, refusal) = takeMember(prompt.field.text, named: name, of: source)
        if let refusal { refuse(refusal) } else { _ = close(prompt) }
        return effects
    }

    private mutating func wait(for id: RequestID?) {
        guard case .prompt(var prompt) = mode else { return }
        prompt.request = id
        mode = .prompt(prompt)
    }

    /// Says why the text was not taken and leaves it for correction; on the message line where the prompt is gone.
    private mutating func refuse(_ reason: String, existing: String? = nil) {
        guard case .prompt(var prompt) = mode else { return say(reason, .refusal) }
        prompt.refusal = reason
        prompt.existingFile = existing
        mode = .prompt(prompt)
    }

    /// What became of an export or an import that somebody asked for. An export is made also if its line was closed meanwhile.
    mutating func take(_ event: FileEvent, _ id: RequestID) -> [Effect] {
        let prompt: LinePrompt? = if case .prompt(let open) = mode, open.request == id { open } else { nil }
        if prompt != nil { wait(for: nil) }
        switch event {
        case .exported(let path, let summary):
            let isReplacing = prompt.map { $0.existingFile == $0.field.text } ?? false
            if prompt != nil { mode = .list }
            lastCommands = [command("export", options: isReplacing ? ["--force"] : [], operands: [path])]
            say(summary)
        case .exists(let path):
            refuse("\(path) exists. \(keyWord(of: .accept, in: .prompt)) once more replaces it.", existing: path)
        case .refused(let reason): refuse(reason)
        case .importRead(let path, let values):
            guard let prompt, case .importing(let isReplacing) = prompt.purpose else { break }
            let question = BulkQuestion.importing(values, over: board.values.overrides, replacing: isReplacing) {
                facts(of: FlagText($0))
            }
            guard !question.lines.isEmpty else {
                refuse("\(path) says what is overridden already.")
                break
            }
            let options = isReplacing ? ["--replace"] : []
            ask(question, commands: [command("import", options: options, operands: [path])])
        }
        return []
    }
}
