import FlagModel
import TerminalUI

/// Draws the copy sheet: the entries with their keys and the texts to copy.
struct CopySheetView {
    let state: MenuState
    let sheet: CopySheet
    let facts: FlagFacts

    func draw(on frame: inout Frame) -> Position? {
        let columns = min(76, state.size.columns - 4)
        let box = SheetFrame(lines: CopySheet.Entry.allCases.count, columns: columns, on: frame.size)
        box.draw(title: "Copy \(state.charset.separator) \(facts.name)", state: state, on: &frame)
        var cursor: Position?
        for (index, entry) in CopySheet.Entry.allCases.prefix(box.inside.rows).enumerated() {
            let row = box.inside.row + index
            if index == sheet.selection { cursor = Position(row: row, column: box.inside.column) }
            draw(entry, isSelected: index == sheet.selection, row: row, in: box.inside, on: &frame)
        }
        return cursor
    }

    private func draw(_ entry: CopySheet.Entry, isSelected: Bool, row: Int, in inside: Region, on frame: inout Frame) {
        if isSelected { frame.fillSelection(row: row, in: inside, state.theme) }
        let action = state.keymap.action(entry.id, in: .copy)
        let key = action?.keys.first?.displayName(charset: state.charset) ?? ""
        let text = state.text(toCopy: entry)?.orQuotes
        let line = StyledLine(isSelected ? "> " : "  ").adding(
            DisplayText.padded(key, to: 3, charset: state.charset), state.theme.key
        )
        .adding(DisplayText.padded(entry.label, to: 14))
        .adding(
            text ?? state.disabledReason(toCopying: entry) ?? "", text == nil ? state.theme.faint : state.theme.plain)
        frame.write(
            line, row: row, column: inside.column, columns: inside.columns,
            restyled: isSelected ? state.theme.selection : nil)
    }
}

extension CopySheet {
    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        CopySheetView(state: state, sheet: self, facts: state.facts(of: key)).draw(on: &frame)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let choices = Entry.allCases.map { entry in
            "\(entry.label): \(state.text(toCopy: entry) ?? state.disabledReason(toCopying: entry) ?? "none")"
        }
        return LineModeSheet(numbering: choices, prompt: "Copy: ")
    }
}
