import FlagModel
import FlagQueries
import TerminalUI

// The view of a prompt: an instruction or an error, the line of text, and the suggestions.
extension LinePrompt {
    func view(in state: MenuState) -> SheetList {
        let columns = min(72, state.size.columns - 4)
        let text = WrappedText(columns: columns, charset: state.charset)
        let words =
            error.map { text.lines(of: $0, atMost: 3, state.theme.error) }
            ?? text.lines(of: purpose.instruction, atMost: 1, state.theme.faint)
        return SheetList(
            state, title: purpose.title, columns: columns, above: words, field: .init(sign: ">", text: field),
            rows: SheetList.rows(suggestions.map { ($0.text, $0.note) }, columns: columns, state),
            selection: selection)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        // On a screen, pressing Enter again confirms; in line mode, the same name has to be typed again.
        let message = existingFile.map { "\($0) exists. The same name again replaces it." } ?? error
        let lines = ["\(message ?? purpose.instruction) Enter alone goes back."]
        return LineModeSheet(
            lines: lines + suggestions.map { "\(FlagSentences.stored($0.text)), \($0.note)." },
            prompt: purpose.linePrompt)
    }
}

extension LinePrompt.Purpose {
    fileprivate var title: String {
        switch self {
        case .value(let targets):
            "Set \(targets.areMarked ? "the \(targets.keys.count) marked flags" : targets.keys.count.counted("flag")) to"
        case .export: "Export overrides"
        case .importing(replacing: false): "Import overrides"
        case .importing(replacing: true): "Replace all overrides"
        case .contextValue(_, let name): name
        case .contextMember: "Add a member"
        case .open: "Open"
        }
    }

    /// What to type, as a sentence.
    var instruction: String {
        switch self {
        case .value: "The value; the list is shown before anything changes."
        case .export: "The file to write, as a JSON object of keys and values."
        case .contextValue: "The value; numbers, true and false keep their type."
        case .contextMember: "The name, the sign = and the value, such as country=FR."
        case .importing: "The file to read; the changes are shown before they are made."
        case .open: "A document, or a source such as ofrep:https://flags.example.com."
        }
    }

    fileprivate var linePrompt: String {
        switch self {
        case .value, .contextValue: "Value: "
        case .contextMember: "Member: "
        case .export, .importing: "File: "
        case .open: "Path: "
        }
    }
}
