import FlagModel
import TerminalUI

extension LineModeSession {
    /// Reads a typed line, and returns its events for the reducer. The session's replies to the line are printed by the
    /// next ``respond(_:)``.
    public mutating func read(_ line: String, in state: MenuState) -> [LineEvent] {
        // The changes that arrived while the line was typed.
        let updates = updates(to: state, leavingOut: .elsewhere)
        if !updates.isEmpty { replies.append("Meanwhile: \(updates.joined(separator: " "))") }
        announced = state
        let events = meaning(of: line, state)
        // Clears the last message, so that the message is printed again if it is shown again.
        wasRequested = !events.isEmpty
        if wasRequested { announced?.messages.current = nil }
        return events
    }

    private mutating func meaning(of line: String, _ state: MenuState) -> [LineEvent] {
        let text = line.trimmed
        guard let sheet = LineModeSheet(state) else { return command(text, state) }
        if let editor = state.sheet(ValueEditor.self) { return value(line, editor) }
        switch state.part {
        case LinePrompt.part where line.isEmpty, NoteSheet.part where line.isEmpty:
            return [.actionChosen(.cancel, in: state.part)]
        case .filter, .historyFilter, LinePrompt.part, NoteSheet.part:
            if state.part == .filter { awaited = .list }
            return [.textWritten(line), .actionChosen(.accept, in: state.part)]
        default: return respond(text, to: sheet, state)
        }
    }

    /// The events for a line at the prompt of a sheet. A number chooses an entry, a command runs its action, and an
    /// empty line closes the sheet. In a dialog, anything but a command cancels.
    private mutating func respond(_ text: String, to sheet: LineModeSheet, _ state: MenuState) -> [LineEvent] {
        let part = state.part
        if let number = Int(text), sheet.choiceCount > 0 {
            guard (1...sheet.choiceCount).contains(number) else {
                return reply(["\(sheet.choiceCount.thereAre("to choose from", "to choose from"))."])
            }
            return Self.choosing(number, in: part)
        }
        if case .action(let action) = LineModeCommands(state.keymap, in: part).meaning(of: text) {
            return [.actionChosen(action.id, in: part)]
        }
        if text.isEmpty || [BulkDialog.part, OtherValueDialog.part, ScenarioDialog.part].contains(part) {
            return [.actionChosen(.cancel, in: part)]
        }
        return reply(["\(text.cited) is not a choice here. Enter goes back."])
    }

    /// The events to move to a choice and accept it.
    static func choosing(_ number: Int, in part: MenuPart) -> [LineEvent] {
        [.actionChosen(.moveToFirst, in: part)]
            + Array(repeating: .actionChosen(.moveDown, in: part), count: number - 1)
            + [.actionChosen(.accept, in: part)]
    }

    /// The events for a line typed as a value. JSON may have several lines: its value is saved as soon as it is valid,
    /// or after a line with a period or an empty first line.
    private mutating func value(_ line: String, _ editor: ValueEditor) -> [LineEvent] {
        guard editor.type == .json else {
            if line.isEmpty { return [.actionChosen(.cancel, in: .editor)] }
            let text = editor.type == .string && line == "\"\"" ? "" : line
            return Self.storing(editor.type == .string ? text : text.trimmed, as: editor.type)
        }
        let isEnd = line.trimmed == "." || draft.isEmpty && line.trimmed.isEmpty
        if !isEnd { draft.append(line) }
        let text = draft.joined(separator: "\n")
        let isOpen = text.trimmed.first.map { "{[".contains($0) } ?? false
        if !isEnd, isOpen, !FlagType.json.accepts(text) { return [] }
        draft = []
        // The second event confirms that the typed text is discarded, because the editor requires confirmation.
        let leaving = LineEvent.actionChosen(.cancel, in: .json)
        return text.isEmpty ? [leaving, leaving] : Self.storing(text, as: .json)
    }

    /// The events to write a text in the editor for a type, and accept the text.
    static func storing(_ text: String, as type: FlagType) -> [LineEvent] {
        [.textWritten(text), .actionChosen(.accept, in: editor(of: type))]
    }

    /// The part of the menu that edits values of a type.
    static func editor(of type: FlagType) -> MenuPart { type == .json ? .json : .editor }
}
