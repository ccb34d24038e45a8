import FlagModel
import TerminalUI

extension LinearDialogue {
    /// Takes in a line that was typed, and tells what it means to the reducer; what it means to the talk alone is said
    /// with the next answer.
    public mutating func read(_ line: String, in state: MenuState) -> [LineEvent] {
        // What happened while the line was typed.
        if let heard {
            var news = LinearNews(old: heard, new: state).lines
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
        guard let sheet = LinearSheet(state) else { return command(text, state) }
        switch state.mode {
        case .editor(let editor): return value(line, editor)
        case .filter:
            awaited = .list
            return [.textWritten(line), .intentChosen(.accept, in: .filter)]
        case .prompt:
            return line.isEmpty
                ? [.intentChosen(.cancel, in: .prompt)] : [.textWritten(line), .intentChosen(.accept, in: .prompt)]
        default: return answer(text, to: sheet, state)
        }
    }

    /// A number chooses, a command of the sheet does what its key does, nothing closes it; a question takes anything
    /// that is no yes for a no.
    private mutating func answer(_ text: String, to sheet: LinearSheet, _ state: MenuState) -> [LineEvent] {
        let context = state.mode.context
        if let number = Int(text), !sheet.choices.isEmpty {
            guard sheet.choices.indices.contains(number - 1) else {
                replies.append("\(sheet.choices.count.thereAre("to choose from", "to choose from")).")
                return []
            }
            return Self.choosing(number, in: context)
        }
        switch LinearCommands(state.keymap, in: context).meaning(of: text) {
        case .binding(let binding): return [.intentChosen(binding.intent, in: context)]
        case .several, .nothing:
            if text.isEmpty || [.question, .otherValue].contains(context) {
                return [.intentChosen(.cancel, in: context)]
            }
            replies.append("There is no \(text.cited) here. Enter goes back.")
            return []
        }
    }

    /// What moves to a choice and takes it.
    static func choosing(_ number: Int, in context: Binding.Context) -> [LineEvent] {
        [.intentChosen(.moveToFirst, in: context)]
            + Array(repeating: .intentChosen(.moveDown, in: context), count: number - 1)
            + [.intentChosen(.accept, in: context)]
    }

    /// A line for the editor. JSON may take several, which count as soon as they are a value together.
    private mutating func value(_ line: String, _ editor: ValueEditor) -> [LineEvent] {
        guard editor.type == .json else {
            if line.isEmpty { return [.intentChosen(.cancel, in: .editor)] }
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
        let leaving = LineEvent.intentChosen(.cancel, in: .json)
        return text.isEmpty ? [leaving, leaving] : Self.storing(text, as: .json)
    }

    /// What writes a text in the editor of a type and accepts it.
    static func storing(_ text: String, as type: FlagType) -> [LineEvent] {
        [.textWritten(text), .intentChosen(.accept, in: editor(of: type))]
    }

    /// The part of the menu in which a value of a type is edited.
    static func editor(of type: FlagType) -> Binding.Context { type == .json ? .json : .editor }
}
