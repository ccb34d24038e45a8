import FlagModel
import FlagQueries
import TerminalUI

/// The texts around the input of a value editor: description, hint, and values of the layers.
struct EditorWords {
    let state: MenuState
    let editor: ValueEditor
    let facts: FlagFacts

    /// The maximum number of characters of JSON that is compared with the layers' values at each key press.
    private static let comparisonLimit = 20_000

    private var theme: Theme { state.theme }

    /// The flag's description, in at most `rows` lines.
    func details(columns: Int, rows: Int) -> [StyledLine] {
        guard let details = facts.item?.details, !details.isEmpty else { return [] }
        return WrappedText(columns: columns, charset: state.charset).lines(of: details.string, atMost: max(0, rows))
    }

    /// The flag's key, type and bounds.
    func identity(columns: Int) -> StyledLine {
        let dot = " \(state.charset.separator) "
        let isText = editor.type != facts.type
        let type =
            dot + editor.type.rawValue + (isText ? " in a \(facts.type.rawValue)" : "")
            + (editor.bounds.map { "\(dot)\($0.summary)" } ?? "")
        let room = columns - DisplayText.width(type, charset: state.charset)
        // A flag without a title has its key as the sheet's title, so the key is not repeated.
        guard facts.item?.title != nil else { return StyledLine(String(type.dropFirst(dot.count)), theme.faint) }
        return StyledLine(DisplayText.middleClipped(facts.key, to: room, charset: state.charset) + type, theme.faint)
    }

    /// Why the text is not valid or not complete; for a valid text, the effect of saving it.
    func hint(columns: Int) -> [StyledLine] {
        let (sentence, style) = hint
        return WrappedText(columns: columns, charset: state.charset).lines(of: sentence, style)
    }

    private var hint: (String, Style) {
        if let error = editor.error { return ("! \(error)\(asTextWords)", theme.error) }
        if editor.isDocument {
            if let finding = editor.finding { return ("Not JSON yet: \(finding.error.asSentence)", theme.faint) }
            let isShort = editor.field.characters.count <= Self.comparisonLimit
            return (isShort ? consequence : "\(acceptKey) checks it and sets it.", theme.faint)
        }
        guard editor.invalidReason != nil else { return (consequence, theme.faint) }
        let hasType = editor.type.accepts(editor.text)
        return (hasType ? "It must be \(editor.bounds?.summary ?? "")." : Self.notYet(editor.type), theme.faint)
    }

    /// How to leave the checks of JSON, as a sentence after a space; empty for a flag that must be JSON.
    private var asTextWords: String {
        let isText = editor.isDocument && facts.type == .string
        return isText ? " \(state.keyWord(of: "asText", in: .json)) edits it as text." : ""
    }

    private static func notYet(_ type: FlagType) -> String {
        switch type {
        case .bool: "Not a bool yet: true or false."
        case .int: "Not an int yet."
        case .double: "Not a double yet."
        case .json, .string: "Not a value yet."
        }
    }

    /// The effect of saving the text, as a sentence.
    var consequence: String {
        let flag = facts
        let value = editor.value(for: flag)
        if editor.isUnchanged(flag), flag.override == nil {
            let why = editor.replacesAll ? "typing replaces the value." : "the value is the same."
            return "\(acceptKey) changes nothing; \(why)"
        }
        if flag.isOutsideOptions(value) {
            return "Not one of the \(flag.options.count) options: \(acceptKey) asks first."
        }
        if flag.override?.value == value { return "\(acceptKey) changes nothing: the override has that value." }
        guard let base = flag.base, let old = base.value?.string else { return "\(acceptKey) sets it." }
        if flag.isSame(value, old) {
            return "\(acceptKey) sets an override equal to the \(base.layer.word) value."
        }
        return "\(acceptKey) overrides the \(base.layer.word) value."
    }

    private var acceptKey: String { state.keyWord(of: .accept, in: editor.part) }

    /// The values of the layers, one on each line.
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
