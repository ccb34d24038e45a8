import FlagModel
import FlagQueries
import TerminalUI

extension OpenSheet {
    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        let rows = ChoiceRows(
            (choices ?? []).enumerated().map { index, choice in
                ChoiceRows.Row(key: index < 9 ? "\(index + 1)" : " ", text: choice.name, note: choice.shownNote)
            }, selection: selection)
        let columns = min(72, state.size.columns - 4)
        let words = error.map {
            WrappedText(columns: columns, charset: state.charset).lines(of: $0, atMost: 3, state.theme.error)
        }
        let top = words?.count ?? 0
        let box = SheetFrame(lines: top + max(1, rows.count), columns: columns, on: state.size)
        box.draw(title: "Open", state: state, on: &frame)
        frame.write(words ?? [], in: box.inside)
        guard choices != nil else {
            frame.write(
                "Reading.", at: Position(row: box.inside.row, column: box.inside.column), style: state.theme.faint)
            return nil
        }
        return rows.draw(in: box.inside.droppingTop(top), state, on: &frame)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        guard let choices else { return LineModeSheet(lines: ["Reading."]) }
        return LineModeSheet(
            before: [error ?? "What to open:"], numbering: choices.map { "\($0.name), \($0.shownNote)." },
            after: [
                "A number opens it, \(state.keyName(of: "openPath", in: .open)) asks for a path, Enter \(state.target.isNone ? "quits" : "goes back")."
            ],
            prompt: "Open: ")
    }
}

extension OpenChoice {
    fileprivate var shownNote: String { isOpen ? "\(note), open now" : note }
}
