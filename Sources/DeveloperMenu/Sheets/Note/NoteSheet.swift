import FlagModel
import FlagQueries
import TerminalUI

/// The sheet that says why an override exists, and when it ends by itself. Typed text is the note while the first end is
/// selected, as at first; otherwise it is the last end.
struct NoteSheet: Equatable {
    let key: FlagText
    /// The ends to choose from, as the texts that mean them. The first one is what the override has, the last one what is
    /// typed.
    let ends: [String]
    /// The index of the selected end.
    var selection = 0
    private(set) var note: TextField
    private(set) var typedEnd = TextField()
    /// Why nothing was saved, as a sentence.
    private var error: String?

    init(_ flag: FlagFacts) {
        key = FlagText(flag.key)
        note = TextField(flag.override?.note ?? "")
        ends = [""] + (flag.override?.end == nil ? [] : ["never"]) + ["1h", "18:00", "restart", ""]
    }

    private var isTypingEnd: Bool { selection == ends.count - 1 }

    private var isTypingNote: Bool { selection == 0 }

    /// Changes the note or, after a move to another end, the typed one, which becomes the selected one.
    private mutating func change(_ change: (inout TextField) -> Void) {
        error = nil
        guard !isTypingNote else { return change(&note) }
        selection = ends.count - 1
        change(&typedEnd)
    }
}

extension NoteSheet: ListSheet {
    static let part = MenuPart(id: "note", heading: "While writing a note")
    static let parts = [(part: part, actions: actions + ActionTable.line + ActionTable.programAndHelpWhileTyping)]

    static let actions: [Action] =
        [
            action(.accept, [.enter], label: "save", help: "Save the note and the selected end.", .changesValues) {
                $0.accept(in: &$1)
            },
            closing([.escape], help: "Close the sheet and change nothing."),
        ] + movements("end", takesText: true)

    func choices(in state: MenuState) -> [String] { ends }

    mutating func select(_ index: Int, in state: MenuState) { (selection, error) = (index, nil) }

    mutating func edit(_ edit: LineEdit, in state: MenuState) { change { $0.edit(edit) } }

    mutating func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        // The longest end is a date with a time.
        let limit = isTypingNote ? .max : 16
        if let text = key.typedText { change { $0.insert(text, limit: limit) } }
        return []
    }

    /// Takes a line of line mode: the number of an end, a text that means an end, or the note.
    mutating func write(_ text: String) {
        if let number = Int(text), 1..<ends.count ~= number {
            selection = number - 1
        } else if OverrideLife(typed: text, at: FlagTimestamp(seconds: 0), utcOffset: { _ in 0 }) != nil {
            (selection, typedEnd) = (ends.count - 1, TextField(text))
        } else {
            (selection, note) = (0, TextField(text == "-" ? "" : text))
        }
    }

    private mutating func accept(in state: inout MenuState) -> [Effect] {
        let (flag, life) = (state.facts(of: key), life(isTypingEnd ? typedEnd.text : ends[selection], in: state))
        error = flag.noteReason ?? reason(against: life, in: state)
        guard error == nil, let override = flag.override else { return [] }
        let text = note.text.trimmed
        let noteEdits = text == override.note ?? "" ? [] : [OverrideEdit.note(key: flag.key, text)]
        let effects = state.save(noteEdits + (life.map { [.end(key: flag.key, $0)] } ?? []))
        _ = state.closeSheet()
        guard !effects.isEmpty else { return [] }
        let note = text.isEmpty ? "no note" : text
        let end = state.facts(of: key).override?.end?.words(at: state.now) ?? "no end"
        let day = life.flatMap { state.otherDay(of: $0) } ?? ""
        state.show("\(flag.name): \(note), \(end)\(day). \(state.keyWord(of: .undo)) undoes it.")
        return effects
    }

    /// What a text means; `nil` for nothing.
    private func life(_ text: String, in state: MenuState) -> OverrideLife? {
        OverrideLife(typed: text, at: state.now, utcOffset: state.localZone.utcOffset)
    }

    /// Why the selected end is not possible; `nil` if it is.
    private func reason(against life: OverrideLife?, in state: MenuState) -> String? {
        switch life {
        case nil: isTypingEnd ? "Write the end as \(Self.examples)." : nil
        case .until(let time)? where time <= state.now: "This time has passed."
        case .untilRestart?: state.restartReason
        case .forever?, .kept?, .lasting?, .until?: nil
        }
    }

    private static let examples = "2h, 18:00 or 2026-12-01 18:00"

    /// The ends, each with what it means now.
    private func rows(in state: MenuState) -> [(text: String, note: String)] {
        let current = state.facts(of: key).override?.end?.words(at: state.now)
        return [current.map { ("as it is", $0) } ?? ("never", "")]
            + ends.dropFirst().dropLast().map { end in
                switch end {
                case "1h": ("in 1 hour", "")
                case "18:00": ("at 18:00", words(end, in: state))
                case "restart": ("when the app restarts", state.restartReason ?? "")
                default: (end, "")
                }
            } + [(typedEnd.text.isEmpty ? "other" : typedEnd.text, words(typedEnd.text, in: state))]
    }

    private func words(_ end: String, in state: MenuState) -> String {
        guard let life = life(end, in: state) else { return Self.examples }
        let words = life.end(at: ClockReading(now: state.now))?.words(at: state.now) ?? "never ends"
        return words + (state.otherDay(of: life) ?? "")
    }

    func view(in state: MenuState) -> SheetList {
        let columns = min(64, state.size.columns - 4)
        let text = WrappedText(columns: columns, charset: state.charset)
        let words =
            error.map { text.lines(of: $0, atMost: 2, state.theme.error) }
            ?? text.lines(of: "Why it is overridden, and when that ends.", atMost: 1, state.theme.faint)
        let heading = SheetList.Row(line: StyledLine("Ends", state.theme.header))
        return SheetList(
            state, title: state.facts(of: key).name, columns: columns, above: words,
            field: FieldLine(sign: ">", text: note, isEdited: isTypingNote),
            rows: [heading] + SheetList.rows(rows(in: state), columns: columns, state), selection: selection)
    }

    func draw(in state: MenuState, on frame: inout Frame) -> Position? {
        let cursor = view(in: state).draw(on: &frame)
        guard isTypingEnd, let cursor else { return cursor }
        // The row begins with a pointer of two columns.
        let typed = DisplayText.width(String(typedEnd.characters.prefix(typedEnd.cursor)), charset: state.charset)
        return Position(row: cursor.row, column: min(cursor.column + 2 + typed, frame.size.columns - 1))
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let flag = state.facts(of: key)
        let choices = rows(in: state).dropLast().map { "\($0.text)\($0.note.isEmpty ? "" : ", \($0.note)")" }
        return LineModeSheet(
            before: [error, FlagSentences(flag, at: state.now).brief, "When it ends:"].compactMap { $0 },
            numbering: choices,
            after: [
                "A number or a time such as \(Self.examples) sets the end, any other text is the note, - removes it. "
                    + "Enter alone goes back."
            ], prompt: "Note or end: ")
    }
}

extension MenuState {
    /// Why an override cannot end when the app restarts; `nil` if it can.
    fileprivate var restartReason: String? {
        let canEnd = apps.running.contains { $0.overrideFolder == apps.overrideFolder }
        return canEnd ? nil : "No app runs that could restart."
    }

    /// The day of a life that lasts until a later day, to follow the words for its end; `nil` for any other.
    fileprivate func otherDay(of life: OverrideLife) -> String? {
        guard case .until(let time) = life else { return nil }
        func day(_ seconds: Int64) -> String {
            FlagTimestamp(seconds: seconds + Int64(localZone.utcOffset(FlagTimestamp(seconds: seconds)))).date
        }
        switch day(time.seconds) {
        case day(now.seconds): return nil
        case day(now.seconds + 86_400): return ", tomorrow"
        case let date: return ", on \(date)"
        }
    }
}
