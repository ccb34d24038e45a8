import FlagModel
import TerminalUI

extension LineModeDialogue {
    /// Reads a typed line, and returns its events for the reducer; replies of the dialogue itself are printed with the
    /// next response.
    public mutating func read(_ line: String, in state: MenuState) -> [LineEvent] {
        // What happened while the line was typed.
        if let heard {
            var news = LineModeNews(old: heard, new: state).lines
            // Changes by others are printed flag by flag already.
            if let message = state.message, heard.message != message, message.kind != .elsewhere,
                !Self.isRepeated(message, by: news)
            {
                news.insert(Self.spoken(message), at: 0)
            }
            if !news.isEmpty { replies.append("Meanwhile: \(news.joined(separator: " "))") }
        }
        heard = state
        let events = meaning(of: line, state)
        // A repeated sentence is printed again if it is true again.
        wasAsked = !events.isEmpty
        if wasAsked { heard?.messages.current = nil }
        return events
    }

    private mutating func meaning(of line: String, _ state: MenuState) -> [LineEvent] {
        let text = line.trimmed
        guard let sheet = LineModeSheet(state) else { return command(text, state) }
        switch state.mode {
        case .editor(let editor): return value(line, editor)
        case .filter:
            awaited = .list
            return [.textWritten(line), .actionChosen(.accept, in: .filter)]
        case .prompt:
            return line.isEmpty
                ? [.actionChosen(.cancel, in: .prompt)] : [.textWritten(line), .actionChosen(.accept, in: .prompt)]
        default: return answer(text, to: sheet, state)
        }
    }

    /// A number chooses, a command of the sheet acts as its key, an empty line closes it; a dialog treats everything
    /// but yes as no.
    private mutating func answer(_ text: String, to sheet: LineModeSheet, _ state: MenuState) -> [LineEvent] {
        let part = state.mode.part
        if let number = Int(text), !sheet.choices.isEmpty {
            guard sheet.choices.indices.contains(number - 1) else {
                replies.append("\(sheet.choices.count.thereAre("to choose from", "to choose from")).")
                return []
            }
            return Self.choosing(number, in: part)
        }
        switch LineModeCommands(state.keymap, in: part).meaning(of: text) {
        case .action(let action): return [.actionChosen(action.id, in: part)]
        case .several, .nothing:
            if text.isEmpty || [.question, .otherValue].contains(part) {
                return [.actionChosen(.cancel, in: part)]
            }
            replies.append("There is no \(text.cited) here. Enter goes back.")
            return []
        }
    }

    /// The events to move to a choice and accept it.
    static func choosing(_ number: Int, in part: MenuPart) -> [LineEvent] {
        [.actionChosen(.moveToFirst, in: part)]
            + Array(repeating: .actionChosen(.moveDown, in: part), count: number - 1)
            + [.actionChosen(.accept, in: part)]
    }

    /// A line for the editor. JSON may take several lines, which count as soon as they are complete.
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
        // As on the screen, leaving with typed text needs confirmation; the empty line is that.
        let leaving = LineEvent.actionChosen(.cancel, in: .json)
        return text.isEmpty ? [leaving, leaving] : Self.storing(text, as: .json)
    }

    /// The events to write a text in the editor of a type and accept it.
    static func storing(_ text: String, as type: FlagType) -> [LineEvent] {
        [.textWritten(text), .actionChosen(.accept, in: editor(of: type))]
    }

    /// The part of the menu that edits values of a type.
    static func editor(of type: FlagType) -> MenuPart { type == .json ? .json : .editor }
}
