import FlagModel
import TerminalUI

extension LineModeDialogue {
    /// Takes in a line that was typed, and tells what it means to the reducer; what it means to the talk alone is said
    /// with the next answer.
    public mutating func read(_ line: String, in state: MenuState) -> [LineEvent] {
        // What happened while the line was typed.
        if let heard {
            var news = LineModeNews(old: heard, new: state).lines
            // What others did is among the news already, flag by flag.
            if let message = state.message, heard.message != message, message.kind != .elsewhere,
                !Self.isRepeated(message, by: news)
            {
                news.insert(Self.spoken(message), at: 0)
            }
            if !news.isEmpty { replies.append("Meanwhile: \(news.joined(separator: " "))") }
        }
        heard = state
        let events = meaning(of: line, state)
        // A sentence that is said once more because it is true once more is news.
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

    /// A number chooses, a command of the sheet does what its key does, nothing closes it; a question takes anything
    /// that is no yes for a no.
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

    /// What moves to a choice and takes it.
    static func choosing(_ number: Int, in part: MenuPart) -> [LineEvent] {
        [.actionChosen(.moveToFirst, in: part)]
            + Array(repeating: .actionChosen(.moveDown, in: part), count: number - 1)
            + [.actionChosen(.accept, in: part)]
    }

    /// A line for the editor. JSON may take several, which count as soon as they are a value together.
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
        // Asked twice, as the screen asks whoever has typed; here the answer was given by typing nothing.
        let leaving = LineEvent.actionChosen(.cancel, in: .json)
        return text.isEmpty ? [leaving, leaving] : Self.storing(text, as: .json)
    }

    /// What writes a text in the editor of a type and accepts it.
    static func storing(_ text: String, as type: FlagType) -> [LineEvent] {
        [.textWritten(text), .actionChosen(.accept, in: editor(of: type))]
    }

    /// The part of the menu in which a value of a type is edited.
    static func editor(of type: FlagType) -> MenuPart { type == .json ? .json : .editor }
}
