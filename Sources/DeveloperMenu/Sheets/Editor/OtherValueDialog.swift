import FlagModel
import FlagQueries
import TerminalUI

/// The dialog to confirm a value that is not among the options. Cancelling returns to the editor.
struct OtherValueDialog: Equatable {
    /// The editor with the value.
    let editor: ValueEditor
}

extension OtherValueDialog: Sheet {
    static let part = MenuPart(id: "otherValue", heading: "When a value is not among the options")

    static let actions: [Action] = [
        action(.accept, ["y"], label: "set it anyway", help: "Set the value anyway.", .changesValues) {
            $0.editor.save(in: &$1)
        },
        closing(
            ["n", .escape, "q", .enter], label: "keep editing (default)", help: "Go back to the editor; nothing is set."
        ) { $1.open($0.editor) },
    ]

    func view(in state: MenuState) -> SheetList {
        let facts = state.facts(of: editor.key)
        let columns = min(72, state.size.columns - 4)
        let text = WrappedText(columns: columns, charset: state.charset)
        let value = DisplayText.clipped(editor.text, to: 2 * columns, charset: state.charset)
        let options = facts.options.map(\.value.orQuotes).joined(separator: ", ")
        let sentence = "\"\(value)\" is not one of the \(facts.options.count) options. Apps may not know it."
        let sentences =
            text.lines(of: sentence) + [StyledLine()] + text.lines(of: "Options: \(options)", state.theme.faint)
        let keys = state.dialogKeys("set it anyway   ", "keep editing (default)", in: part)
        let short = state.dialogKeys("set it  ", "keep editing", in: part)
        return SheetList(
            state, title: "Set \(facts.name) to another value?", columns: columns,
            above: Array(sentences.prefix(max(1, SheetFrame.room(on: state.size) - 2))),
            below: [StyledLine(), keys.width(state.charset) <= columns ? keys : short], asks: true)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let facts = state.facts(of: editor.key)
        let options = facts.options.map { FlagSentences.stored($0.value) }.joined(separator: ", ")
        let lines = [
            "\(FlagSentences.stored(editor.text)) is not one of the \(facts.options.count) options of \(facts.name). "
                + "Apps may not know it.",
            "Options: \(options).",
            "\(state.keyWord(of: .accept, in: part)) sets it anyway, anything else goes back.",
        ]
        return LineModeSheet(lines: lines, prompt: "Set it? ")
    }
}
