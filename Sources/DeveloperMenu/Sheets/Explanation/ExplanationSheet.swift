import FlagModel
import FlagQueries
import TerminalUI

/// The sheet that explains one flag if the screen has no room for a detail pane.
struct ExplanationSheet: Equatable {
    let key: FlagText
    /// Whether long JSON is shown in full.
    var isUnfolded = false
    var scrolled = ScrolledLines.none

    init(_ flag: FlagFacts) { key = FlagText(flag.key) }
}

extension ExplanationSheet: ScrollingSheet {
    static let part = MenuPart(id: "explanation", heading: "In an explanation")

    static let actions: [Action] = [
        action(
            .open, [.enter], label: "change", help: "Open the options, or edit a value that has none.",
            .changesValues, rank: .everyday
        ) { $1.open($1.facts(of: $0.key)) },
        action(
            .clear, ["x", .delete, .backspace], label: "reset", help: "Reset the flag: use its remote value again.",
            .changesValues,
            rank: .frequent, disabledReason: { $1.facts(of: $0.key).clearReason }
        ) { $1.save([.clear(key: $0.key.string)]) },
        step("nextFlag", 1, ["n", .right, "l"], label: "next flag", help: "Explain the next flag of the list."),
        step("previousFlag", -1, ["N", .left, "h"], label: "previous", help: "Explain the previous flag."),
        action(.copy, ["y"], label: "copy", help: "Copy the key, the value, or the shell command.") {
            $1.open(CopySheet($1.facts(of: $0.key)))
        },
        action(.undo, ["u"], help: "Undo the last change, no matter who made it.", .changesValues) {
            $1.moveHistory(.undo)
        },
        closing([.escape, "q", "i"], help: "Close the explanation."),
        action(
            "fold", [.tab], label: "whole JSON", help: "Show long JSON whole, or fold it again.",
            disabledReason: { $0.text(in: $1).hasFoldedValues ? nil : "No value here is folded." }
        ) { sheet, _ in
            sheet.isUnfolded.toggle()
            return []
        },
    ]

    /// An action that selects and explains the flag `count` flags below the selected one, or above it if negative.
    private static func step(_ id: Action.ID, _ count: Int, _ keys: [KeyPress], label: String, help: String) -> Action {
        action(
            id, keys, label: label, help: help,
            disabledReason: { _, state in
                guard let row = state.list.selection, state.list.row(count, from: row) == row else {
                    return state.selectionReason
                }
                return count > 0 ? "This is the last flag that is listed." : "This is the first flag that is listed."
            }
        ) { $1.inList { $0.moveSelection { $0.row(count, from: $1) } } + $1.openOnSelected(Self.init) }
    }

    private func text(in state: MenuState) -> ExplanationText {
        ExplanationText(
            facts: state.facts(of: key), state: state, columns: min(76, state.size.columns - 4), showsTitle: false,
            isUnfolded: isUnfolded)
    }

    func view(in state: MenuState) -> SheetList {
        let text = text(in: state)
        return SheetList(
            state, title: state.facts(of: key).name, columns: text.columns, lines: text.lines, top: scrolled.top)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        LineModeSheet(lines: FlagSentences(state.facts(of: key), at: state.now).full(in: state), isAnnounced: true)
    }
}
