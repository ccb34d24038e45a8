import FlagModel
import TerminalUI

/// The texts beside the text of an editor.
struct EditorWords {
    let state: MenuState
    let editor: ValueEditor
    let facts: FlagFacts

    /// JSON of more characters than this is not compared with the layers at every key.
    private static let comparedLimit = 20_000

    private var theme: Theme { state.theme }

    /// The description, as far as there is room.
    func details(columns: Int, rows: Int) -> [StyledLine] {
        guard let details = facts.item?.details, !details.isEmpty else { return [] }
        return WrappedText(columns: columns, charset: state.charset).lines(of: details.string, atMost: max(0, rows))
    }

    /// Key, type and bounds.
    func identity(columns: Int) -> StyledLine {
        let dot = " \(state.charset.separator) "
        let type = dot + editor.type.rawValue + (editor.bounds.map { "\(dot)\($0.words)" } ?? "")
        let room = columns - DisplayText.width(type, charset: state.charset)
        // If the key is the title already it is not repeated.
        guard facts.item?.title != nil else { return StyledLine(String(type.dropFirst(dot.count)), theme.faint) }
        return StyledLine(DisplayText.middleClipped(facts.key, to: room, charset: state.charset) + type, theme.faint)
    }

    /// Why the text is not valid; what it still lacks; or what Enter does.
    func hint(columns: Int) -> [StyledLine] {
        let (sentence, style) = hint
        return WrappedText(columns: columns, charset: state.charset).lines(of: sentence, style)
    }

    private var hint: (String, Style) {
        if let refusal = editor.refusal { return ("! \(refusal)", theme.error) }
        if editor.isDocument {
            if let finding = editor.finding { return ("Not JSON yet: \(finding.error.asSentence)", theme.faint) }
            let isShort = editor.field.characters.count <= Self.comparedLimit
            return (isShort ? consequence : "\(acceptKey) checks it and sets it.", theme.faint)
        }
        guard editor.objection != nil else { return (consequence, theme.faint) }
        let isType = editor.type.accepts(editor.text)
        return (isType ? "\(editor.bounds?.words ?? "") is allowed." : Self.notYet(editor.type), theme.faint)
    }

    private static func notYet(_ type: FlagType) -> String {
        switch type {
        case .bool: "Not a bool yet: true or false."
        case .int: "Not an int yet."
        case .double: "Not a double yet."
        case .json, .string: "Not a value yet."
        }
    }

    /// What Enter does.
    var consequence: String {
        let flag = facts
        let value = editor.value(for: flag)
        if flag.isOutsideOptions(value) {
            return "Not one of the \(flag.options.count) options: \(acceptKey) asks first."
        }
        if flag.override?.value == value { return "\(acceptKey) changes nothing: the override has that value." }
        guard let base = flag.base, let old = base.value?.string else { return "\(acceptKey) sets it." }
        if flag.isSame(value, old) {
            return "\(acceptKey) sets the value of \(base.layer.word): it stays when \(base.layer.word) changes."
        }
        return "\(acceptKey) sets it instead of the \(base.layer.word) value."
    }

    private var acceptKey: String { state.keyWord(of: .accept, in: state.mode.part) }

    /// The values of the layers, a line each.
    func layers(columns: Int) -> [StyledLine] {
        facts.explanation.entries.compactMap { entry in
            guard let value = entry.value?.string else { return nil }
            let label = DisplayText.padded(entry.layer.word.capitalized, to: 10)
            let note = entry.layer == .launch ? "  wins in this run" : ""
            let folded = editor.isDocument ? FoldedJSON(value)?.summary(state.charset) : nil
            let shown = folded ?? value.orQuotes
            let text = DisplayText.clipped(shown, to: columns - 10 - note.count, charset: state.charset)
            return StyledLine(label, theme.faint).adding(text + note, theme.faint)
        }
    }
}
