import FlagModel
import TerminalUI

/// The editor of a value on one line: what the flag is, the line, what Enter would do, and what the layers say.
struct ValueEditorView {
    let state: MenuState
    let editor: ValueEditor
    let facts: FlagFacts

    private var columns: Int { min(72, state.size.columns - 4) }
    /// Lines kept for the hint where there is room, so that the sheet does not jump while somebody types.
    private static let hintRows = 2

    /// Draws the sheet.
    ///
    /// - Returns: where the hardware cursor belongs: in the line.
    func draw(on frame: inout Frame) -> Position? {
        let words = EditorWords(state: state, editor: editor, facts: facts)
        let hint = words.hint(columns: columns)
        let room = SheetFrame.room(on: state.size) - 2 - hint.count
        let layers = Array(words.layers(columns: columns).prefix(max(0, room - 1)))
        let isRoomy = room >= layers.count + 3
        let details = isRoomy ? words.details(columns: columns, rows: room - layers.count - 3) : []
        let gap = isRoomy ? [StyledLine()] : []
        let heading = details + [words.identity(columns: columns)] + gap
        let padding = isRoomy ? max(0, Self.hintRows - hint.count) : 0
        let below = hint + Array(repeating: StyledLine(), count: padding) + (layers.isEmpty ? [] : gap) + layers
        let sheet = SheetFrame(lines: heading.count + 1 + below.count, columns: columns, on: frame.size)
        sheet.draw(title: facts.name, state: state, on: &frame)
        let inside = sheet.inside
        let row = inside.row + heading.count
        for (index, line) in heading.enumerated() {
            frame.write(line, row: inside.row + index, column: inside.column, columns: inside.columns)
        }
        for (index, line) in below.prefix(max(0, inside.rows - heading.count - 1)).enumerated() {
            frame.write(line, row: row + 1 + index, column: inside.column, columns: inside.columns)
        }
        return drawField(row: row, in: inside, on: &frame)
    }

    private func drawField(row: Int, in inside: Region, on frame: inout Frame) -> Position {
        frame.write(">", at: Position(row: row, column: inside.column), limit: 1, style: state.theme.key)
        let line = FieldLine(
            editor.field, column: inside.column + 2, columns: inside.columns - 3, charset: state.charset)
        line.draw(row: row, style: state.theme.title, on: &frame)
        return Position(row: row, column: line.cursorColumn)
    }
}

/// What an editor says beside the text itself.
struct EditorWords {
    let state: MenuState
    let editor: ValueEditor
    let facts: FlagFacts

    /// JSON of more characters than this is not compared with what the layers say at every key.
    private static let comparedLimit = 20_000

    private var theme: Theme { state.theme }

    /// The description, as far as there is room for it.
    func details(columns: Int, rows: Int) -> [StyledLine] {
        guard let details = facts.item?.details, !details.isEmpty else { return [] }
        return WrappedText(columns: columns, charset: state.charset).lines(of: details.string, atMost: max(0, rows))
    }

    /// Key, type and bounds.
    func identity(columns: Int) -> StyledLine {
        let dot = " \(state.charset.separator) "
        let type = dot + editor.type.rawValue + (editor.bounds.map { "\(dot)\($0.words)" } ?? "")
        let room = columns - DisplayText.width(type, charset: state.charset)
        // A key that stands above as the title is not said again.
        guard facts.item?.title != nil else { return StyledLine(String(type.dropFirst(dot.count)), theme.faint) }
        return StyledLine(DisplayText.middleClipped(facts.key, to: room, charset: state.charset) + type, theme.faint)
    }

    /// Why the text was refused; what it still lacks; or what Enter would do.
    func hint(columns: Int) -> [StyledLine] {
        let (sentence, style) = hint
        return WrappedText(columns: columns, charset: state.charset).lines(of: sentence, style)
    }

    private var hint: (String, Style) {
        if let refusal = editor.refusal { return ("! \(refusal)", theme.error) }
        if editor.isDocument {
            if let finding = editor.finding { return ("Not JSON yet: \(finding.error).", theme.faint) }
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

    /// What Enter would do.
    var consequence: String {
        let flag = facts
        let value = editor.value(for: flag)
        if flag.isOutsideOptions(value) {
            return "Not one of the \(flag.options.count) options: \(acceptKey) asks first."
        }
        if flag.override?.value == value { return "\(acceptKey) changes nothing: the override says that already." }
        guard let base = flag.base, let old = base.value?.string else { return "\(acceptKey) sets it." }
        if flag.isSame(value, old) {
            return "\(acceptKey) sets what \(base.layer.word) says already: it stays when \(base.layer.word) changes."
        }
        return "\(acceptKey) sets it instead of what \(base.layer.word) says."
    }

    private var acceptKey: String { state.keyWord(of: .accept, in: state.mode.context) }

    /// What the layers say, a line each.
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

/// The question whether a value is meant that is not among the options.
struct OtherValueView {
    let state: MenuState
    let editor: ValueEditor
    let facts: FlagFacts

    func draw(on frame: inout Frame) -> Position? {
        let columns = min(72, state.size.columns - 4)
        let room = SheetFrame.room(on: state.size)
        let lines = Array(question(columns: columns).prefix(max(1, room - 2)))
        let sheet = SheetFrame(lines: lines.count + 2, columns: columns, on: frame.size)
        sheet.draw(title: "Set \(facts.name) to another value?", state: state, on: &frame)
        let inside = sheet.inside
        for (index, line) in lines.enumerated() {
            frame.write(line, row: inside.row + index, column: inside.column, columns: inside.columns)
        }
        let last = inside.row + inside.rows - 1
        let yes = StyledLine(state.keyName(of: .accept, in: .otherValue), state.theme.key)
        let no = state.keyName(of: .cancel, in: .otherValue)
        let keys = yes.adding(" set it anyway   ").adding(no, state.theme.key).adding(" keep editing (default)")
        let short = yes.adding(" set it  ").adding(no, state.theme.key).adding(" keep editing")
        let fits = keys.width(state.charset) <= inside.columns
        frame.write(fits ? keys : short, row: last, column: inside.column, columns: inside.columns)
        return Position(row: last, column: inside.column)
    }

    private func question(columns: Int) -> [StyledLine] {
        let value = DisplayText.clipped(editor.text, to: 2 * columns, charset: state.charset)
        let options = facts.options.map(\.value.orQuotes).joined(separator: ", ")
        let sentence = "\"\(value)\" is not one of the \(facts.options.count) options. Apps may not know it."
        let text = WrappedText(columns: columns, charset: state.charset)
        return text.lines(of: sentence) + [StyledLine()] + text.lines(of: "Options: \(options)", state.theme.faint)
    }
}
