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
            setBusy(true)
            if case .importing = prompt.purpose { return [.readImport(path: text)] }
            return [.exportOverrides(path: text, isReplacing: prompt.existingFile == text)]
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

    private mutating func setBusy(_ isBusy: Bool) {
        guard case .prompt(var prompt) = mode else { return }
        prompt.isBusy = isBusy
        mode = .prompt(prompt)
    }

    /// Says why the text was not taken and leaves it for correction; on the message line where the prompt is gone.
    private mutating func refuse(_ reason: String, existing: String? = nil) {
        guard case .prompt(var prompt) = mode else { return say(reason, .refusal) }
        prompt.refusal = reason
        prompt.existingFile = existing
        mode = .prompt(prompt)
    }

    /// What became of an export or an import that somebody asked for.
    mutating func takeFileNews(_ event: Event) {
        setBusy(false)
        switch event {
        case .exported(let path, let summary):
            var options: [String] = []
            if case .prompt(let prompt) = mode, prompt.purpose == .export {
                if prompt.existingFile == prompt.field.text { options = ["--force"] }
                mode = .list
            }
            lastCommands = [command("export", options: options, operands: [path])]
            say(summary)
        case .fileExists(let path):
            refuse("\(path) exists. \(keyWord(of: .accept, in: .prompt)) once more replaces it.", existing: path)
        case .fileRefused(let reason): refuse(reason)
        case .importRead(let path, let values):
            guard case .prompt(let prompt) = mode, case .importing(let isReplacing) = prompt.purpose else { return }
            let question = BulkQuestion.importing(values, over: board.values.overrides, replacing: isReplacing) {
                facts(of: FlagText($0))
            }
            guard !question.lines.isEmpty else { return refuse("\(path) says what is overridden already.") }
            let options = isReplacing ? ["--replace"] : []
            ask(question, commands: [command("import", options: options, operands: [path])])
        default: break
        }
    }
}
