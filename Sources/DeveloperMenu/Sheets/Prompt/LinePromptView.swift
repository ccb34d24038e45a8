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
            ?? text.lines(of: purpose.words.instruction, atMost: 1, state.theme.faint)
        return SheetList(
            state, title: purpose.words.title, columns: columns, above: words, field: .init(sign: ">", text: field),
            rows: SheetList.rows(suggestions.map { ($0.text, $0.note) }, columns: columns, state),
            selection: selection)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        // On a screen, pressing Enter again confirms; in line mode, the same name has to be typed again.
        let message = existingFile.map { "\($0) exists. The same name again replaces it." } ?? error
        let lines = ["\(message ?? purpose.words.instruction) Enter alone goes back."]
        return LineModeSheet(
            lines: lines + suggestions.map { "\(FlagSentences.stored($0.text)), \($0.note)." },
            prompt: purpose.words.prompt)
    }
}

extension LinePrompt.Purpose {
    /// The title of the sheet, what to type as a sentence, and the prompt of line mode.
    fileprivate var words: (title: String, instruction: String, prompt: String) {
        switch self {
        case .value(let targets):
            let count = targets.keys.count
            let flags = targets.areMarked ? "the \(count) marked flags" : count.counted("flag")
            let folded = targets.foldedCount.counted("folded flag is", "folded flags are")
            let instruction =
                targets.foldedCount == 0
                ? "The value; the list is shown before anything changes." : "The value; \(folded) left out."
            return ("Set \(flags) to", instruction, "Value: ")
        case .export: return ("Export overrides", "The file to write, as a JSON object of keys and values.", "File: ")
        case .importing(let isReplacing):
            let title = isReplacing ? "Replace all overrides" : "Import overrides"
            return (title, "The file to read; the changes are shown before they are made.", "File: ")
        case .member(_, let name?): return (name, "The value; numbers, true and false keep their type.", "Value: ")
        case .member(_, nil):
            return ("Add a member", "The name, the sign = and the value, such as country=FR.", "Member: ")
        case .open:
            return ("Open", "A document, or a source such as ofrep:https://flags.example.com.", "Path: ")
        }
    }
}
