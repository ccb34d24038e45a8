import FlagModel
import TerminalUI

/// A line that asks for something, with what can be chosen instead below it.
struct LinePromptView {
    let state: MenuState
    let prompt: LinePrompt

    func draw(on frame: inout Frame) -> Position? {
        let columns = min(72, state.size.columns - 4)
        let box = SheetFrame(lines: 3 + prompt.suggestions.count, columns: columns, on: frame.size)
        box.draw(title: title, state: state, on: &frame)
        let inside = box.inside
        frame.write(
            clipping: prompt.refusal ?? prompt.purpose.question, row: inside.row, column: inside.column,
            columns: inside.columns,
            style: prompt.refusal == nil ? state.theme.faint : state.theme.error)
        let row = inside.row + 1
        frame.write(">", at: Position(row: row, column: inside.column), limit: 1, style: state.theme.key)
        let field = FieldLine(
            prompt.field, column: inside.column + 2, columns: inside.columns - 3, charset: state.charset)
        field.draw(row: row, on: &frame)
        let below = Region(
            row: row + 2, column: inside.column, rows: inside.rows - 3, columns: inside.columns)
        drawSuggestions(in: below, on: &frame)
        return Position(row: row, column: field.cursorColumn)
    }

    private func drawSuggestions(in region: Region, on frame: inout Frame) {
        let first = max(0, min((prompt.selection ?? 0) - region.rows / 2, prompt.suggestions.count - region.rows))
        let widest = prompt.suggestions.map { DisplayText.width($0.text, charset: state.charset) }.max() ?? 0
        for (line, index) in prompt.suggestions.indices.dropFirst(first).prefix(region.rows).enumerated() {
            let suggestion = prompt.suggestions[index]
            let isSelected = index == prompt.selection
            let row = region.row + line
            if isSelected { frame.fillSelection(row: row, in: region, state.theme) }
            let text = DisplayText.padded(
                suggestion.text.orQuotes, to: min(max(8, widest), region.columns / 2), charset: state.charset)
            frame.write(
                StyledLine("\(isSelected ? ">" : " ") \(text)").adding("  \(suggestion.note)", state.theme.faint),
                row: row,
                column: region.column, columns: region.columns, restyled: isSelected ? state.theme.selection : nil)
        }
    }

    private var title: String {
        switch prompt.purpose {
        case .value(let targets):
            "Set \(targets.areMarked ? "the \(targets.keys.count) marked flags" : targets.keys.count.counted("flag")) to"
        case .export: "Export overrides"
        case .importing(replacing: false): "Import overrides"
        case .importing(replacing: true): "Import in place of all overrides"
        case .contextValue(_, let name): name
        case .contextMember: "Add a member"
        }
    }
}

extension LinePrompt.Purpose {
    /// What is asked for, in a sentence.
    var question: String {
        switch self {
        case .value: "The value; the list is shown before anything changes."
        case .export: "The file to write, as a JSON object of keys and values."
        case .contextValue: "The value; whole numbers, true and false are taken as such."
        case .contextMember: "The name, the sign = and the value, such as country=FR."
        case .importing: "The file to read; the changes are shown before they are made."
        }
    }
}

extension LinePrompt {
    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        LinePromptView(state: state, prompt: self).draw(on: &frame)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        // On the screen Enter is pressed on the name that still stands there; here it has to be typed again.
        let refusal = existingFile.map { "\($0) exists. The same name once more replaces it." } ?? refusal
        let lines = ["\(refusal ?? purpose.question) Enter alone goes back."]
        return LineModeSheet(
            lines: lines + suggestions.map { "\(FlagSentences.stored($0.text)), \($0.note)." },
            prompt: purpose.linePrompt)
    }
}

extension LinePrompt.Purpose {
    fileprivate var linePrompt: String {
        switch self {
        case .value, .contextValue: "Value: "
        case .contextMember: "Member: "
        case .export, .importing: "File: "
        }
    }
}
