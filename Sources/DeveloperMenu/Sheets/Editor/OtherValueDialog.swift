import FlagModel
import FlagQueries
import TerminalUI

/// The dialog to confirm a value that is not among the options. Cancelling returns to the editor.
public struct OtherValueDialog: Sendable, Equatable {
    /// The editor with the value.
    public let editor: ValueEditor
}

extension MenuPart {
    /// The dialog to confirm a value that is not among the options.
    public static let otherValue = MenuPart(
        id: "otherValue", heading: "When a value is not among the options", opener: .open)
}

extension OtherValueDialog: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.otherValue, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] = [
        Action(.accept, ["y"], label: "set it anyway", help: "Set the value anyway.", .changesValues) { state in
            state.sheet(OtherValueDialog.self).map { state.saveValue(of: $0.editor) } ?? []
        },
        Action(
            .cancel, ["n", .escape, "q", .enter], label: "keep editing (default)",
            help: "Go back to the editor; nothing is set.", .isWayOut, rank: .always
        ) { state in
            if let dialog = state.sheet(OtherValueDialog.self) { state.mode = .editor(dialog.editor) }
            return []
        },
    ]

    var part: MenuPart { .otherValue }
    var mode: MenuState.Mode { .otherValue(self) }
    var flagKey: FlagText? { editor.key }

    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        OtherValueView(state: state, editor: editor, facts: state.facts(of: editor.key)).draw(on: &frame)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let facts = state.facts(of: editor.key)
        let options = facts.options.map { FlagSentences.stored($0.value) }.joined(separator: ", ")
        let lines = [
            "\(FlagSentences.stored(editor.text)) is not one of the \(facts.options.count) options of \(facts.name). "
                + "Apps may not know it.",
            "Options: \(options).",
            "\(state.keyWord(of: .accept, in: .otherValue)) sets it anyway, anything else goes back.",
        ]
        return LineModeSheet(lines: lines, prompt: "Set it? ")
    }
}
