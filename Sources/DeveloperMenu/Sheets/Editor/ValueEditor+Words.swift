import FlagModel
import FlagQueries
import TerminalUI

// The texts around the input: the type, a hint, and the values of the layers.
extension ValueEditor {
    /// The maximum number of characters of JSON that is compared with the layers' values at each key press.
    private static let comparisonLimit = 20_000

    /// The flag's key, type and bounds.
    func identity(_ facts: FlagFacts, columns: Int, _ state: MenuState) -> StyledLine {
        let dot = " \(state.charset.separator) "
        let typeText = type.rawValue + (type == facts.type ? "" : " in a \(facts.type.rawValue)")
        let text = typeText + (bounds.map { "\(dot)\($0.summary)" } ?? "")
        // A flag without a title has its key as the sheet's title, so the key is not repeated.
        guard facts.item?.title != nil else { return StyledLine(text, state.theme.faint) }
        let room = columns - DisplayText.width(dot + text, charset: state.charset)
        let key = DisplayText.middleClipped(facts.key, to: room, charset: state.charset)
        return StyledLine(key + dot + text, state.theme.faint)
    }

    /// Why the text is not valid or not complete; for a valid text, the effect of saving it.
    func hint(_ facts: FlagFacts, columns: Int, _ state: MenuState) -> [StyledLine] {
        let text = WrappedText(columns: columns, charset: state.charset)
        guard let error else { return text.lines(of: hint(facts, state), state.theme.faint) }
        // How to leave the checks of JSON, unless the flag must be JSON.
        let isText = isDocument && facts.type == .string
        let remedy = isText ? " \(state.keyWord(of: "asText", in: .json)) edits it as text." : ""
        return text.lines(of: "! \(error)\(remedy)", state.theme.error)
    }

    private func hint(_ facts: FlagFacts, _ state: MenuState) -> String {
        if let finding { return "Not JSON yet: \(finding.asSentence)" }
        if isDocument, field.characters.count > Self.comparisonLimit {
            return "\(state.keyWord(of: .accept, in: part)) checks it and sets it."
        }
        if isDocument || invalidReason == nil { return consequence(facts, state) }
        if type.accepts(text) { return "It must be \(bounds?.summary ?? "")." }
        switch type {
        case .bool: return "Not a bool yet: true or false."
        case .int: return "Not an int yet."
        case .double: return "Not a double yet."
        case .json, .string: return "Not a value yet."
        }
    }

    /// The effect of saving the text, as a sentence.
    private func consequence(_ flag: FlagFacts, _ state: MenuState) -> String {
        let acceptKey = state.keyWord(of: .accept, in: part)
        let value = value(for: flag)
        if isUnchanged(flag), flag.override == nil {
            let why = replacesAll ? "typing replaces the value." : "the value is the same."
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

    /// The values of the layers, one on each line.
    func layers(_ facts: FlagFacts, columns: Int, _ state: MenuState) -> [StyledLine] {
        facts.explanation.entries.compactMap { entry in
            guard let value = entry.value?.string else { return nil }
            let label = DisplayText.padded(entry.layer.word.capitalized, to: 10)
            let note = entry.layer == .launch ? "  wins in this run" : ""
            let text = DisplayText.clipped(value.orQuotes, to: columns - 10 - note.count, charset: state.charset)
            return StyledLine(label, state.theme.faint).adding(text + note, state.theme.faint)
        }
    }
}
