import FlagModel
import TerminalUI

extension MenuPart {
    /// The line that edits a value.
    public static let editor = MenuPart(id: "editor", heading: "While editing a value", opener: .open)
    /// The editor of JSON.
    public static let json = MenuPart(id: "json", heading: "While editing JSON", opener: .open)
}

// Editing a value: nothing is saved before it is accepted, and a rejected text is not lost.
extension ValueEditor: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] {
        let common = ActionTable.line + ActionTable.programAndHelp
        return [(.editor, lineActions + common), (.json, documentActions + common)]
    }

    private static let lineActions: [Action] = [
        Action(.accept, [.enter, .control("s")], label: "save", help: "Check the value and save it.", .changesValues) {
            $0.acceptValue()
        },
        Action(
            .cancel, [.escape], label: "back", help: "Close the editor and change nothing.", .isWayOut, rank: .always
        ) { $0.leaveEditor() },
        .moving(
            .up, [.up, .control("p")], label: "one more", help: "Make a whole number one larger.",
            disabledReason: \.stepReason),
        .moving(
            .down, [.down, .control("n")], label: "one less", help: "Make a whole number one smaller.",
            disabledReason: \.stepReason),
        outside,
        undoTyping,
    ]

    private static let documentActions: [Action] = [
        Action(
            .accept, [.control("s"), .function(2)], label: "save", help: "Check the JSON and save it.", .changesValues
        ) { $0.acceptValue() },
        Action(
            .cancel, [.escape], label: "back", help: "Close the editor; asks if you have typed.", .isWayOut,
            rank: .always
        ) { $0.leaveEditor() },
        Action("fold", [.tab], label: "fold", help: "Fold or unfold what opens on the line.") { $0.fold() },
        outside,
        Action("insertLine", [.enter], label: "new line", help: "Start a new line, indented.") {
            $0.changeEditor { $0.insertLine() }
        },
        Action("foldAll", [.backTab], help: "Fold or unfold everything.") {
            $0.changeEditor { $0.toggleAllFolds() }
        },
        .moving(.up, [.up, .control("p")], help: "Move the cursor up."),
        .moving(.down, [.down, .control("n")], help: "Move the cursor down."),
        .moving(.pageUp, [.pageUp], help: "Move the cursor one page up."),
        .moving(.pageDown, [.pageDown], help: "Move the cursor one page down."),
        undoTyping,
    ]

    private static let outside = Action(
        .editOutside, [.control("g")], label: "$EDITOR", help: "Write the value in your own editor.", .changesValues
    ) { $0.editOutside() }

    private static let undoTyping = Action(
        .undo, [.control("_")], help: "Undo the last typing.", disabledReason: \.typingReason
    ) { $0.changeEditor { $0.undo() } }

    var part: MenuPart { isDocument ? .json : .editor }
    var mode: MenuState.Mode { .editor(self) }
    var flagKey: FlagText? { key }

    mutating func move(_ movement: Movement, in state: MenuState) {
        isWarned = false
        guard isDocument else {
            if movement == .up || movement == .down { step(by: movement == .up ? 1 : -1) }
            return
        }
        moveInDocument(movement)
    }

    mutating func edit(_ edit: LineEdit, in state: MenuState) {
        isWarned = false
        if isDocument { editDocument(edit) } else { change { $0.edit(edit) } }
    }

    /// Types a character or a paste, with its line breaks: they are text here and not keys.
    func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        if case .character(let character) = key {
            return state.changeEditor { $0.isDocument ? $0.typeInDocument(character) : $0.type(character) }
        }
        guard case .paste(let text) = key else { return [] }
        return state.changeEditor { $0.paste(text) }
    }

    func write(_ text: String, in state: inout MenuState) {
        state.changeSheet(ValueEditor.self) { $0.replaceText(with: text) }
    }
}

extension MenuState {
    fileprivate mutating func editOutside() -> [Effect] {
        guard let editor = sheet(ValueEditor.self) else { return [] }
        let id = makeRequestID()
        mode = .editor(handedOut(editor, id))
        return [.editOutside(id: id, text: editor.text, type: editor.type)]
    }

    fileprivate mutating func fold() -> [Effect] {
        let before = mode
        let effects = changeEditor { $0.toggleFold() }
        if mode == before { say("Nothing to fold here.", .refusal) }
        return effects
    }

    fileprivate mutating func changeEditor(_ change: (inout ValueEditor) -> Void) -> [Effect] {
        changeSheet(ValueEditor.self) {
            change(&$0)
            $0.isWarned = false
        }
        return []
    }

    fileprivate var stepReason: String? {
        guard let editor = sheet(ValueEditor.self), editor.type != .int else { return nil }
        return "Only whole numbers have one more and one less."
    }

    fileprivate var typingReason: String? {
        guard let editor = sheet(ValueEditor.self), !editor.canUndo else { return nil }
        return "Nothing was typed yet."
    }

    /// One line is quickly typed again; a longer text is not dropped by one key.
    fileprivate mutating func leaveEditor() -> [Effect] {
        guard var editor = sheet(ValueEditor.self), editor.isDocument, editor.hasChanges, !editor.isWarned else {
            return closeSheet()
        }
        editor.isWarned = true
        mode = .editor(editor)
        let (save, drop) = (keyWord(of: .accept, in: .json), keyWord(of: .cancel, in: .json))
        say("Not saved. \(save) saves; \(drop) again drops what was typed.", .refusal)
        return []
    }

    /// Saves the text, or shows why not and leaves it for correction; a value outside a closed list needs confirmation.
    fileprivate mutating func acceptValue() -> [Effect] {
        guard case .editor(var editor) = mode else { return [] }
        if let objection = editor.objection {
            if editor.isDocument, let finding = ValueEditor.finding(in: editor.field) {
                editor.finding = finding
                editor.reveal(finding.index)
            }
            editor.refusal = objection
            mode = .editor(editor)
            return []
        }
        let flag = facts(of: editor.key)
        if flag.isOutsideOptions(editor.value(for: flag)) {
            mode = .otherValue(OtherValueQuestion(editor: editor))
            return []
        }
        return saveValue(of: editor)
    }

    mutating func saveValue(of editor: ValueEditor) -> [Effect] {
        let flag = facts(of: editor.key)
        let value = editor.value(for: flag)
        mode = .list
        guard flag.override?.value != value else {
            say("\(flag.name) already has that override.")
            return []
        }
        return save([.set(key: flag.key, value: value)], label: "set \(flag.key)")
    }

    /// The editor with the override at the time of opening the user's own editor.
    private func handedOut(_ editor: ValueEditor, _ id: RequestID) -> ValueEditor {
        var editor = editor
        editor.request = id
        editor.overrideHandedOut = facts(of: editor.key).override?.value
        return editor
    }

    /// The user's own editor hides changes made meanwhile: saving waits until the user has seen them.
    private mutating func sayChangedMeanwhile(_ editor: ValueEditor) {
        let value = facts(of: editor.key).override?.value.orQuotes
        let news = value.map { "was set to \($0)" } ?? "was cleared"
        let save = keyWord(of: .accept, in: mode.part)
        say("Not saved yet; \(save) saves. Meanwhile the override \(news).", .refusal)
    }

    /// Handles the text of the user's own editor. If it is saved and valid it is saved here; else the editor stays
    /// open.
    mutating func takeOutsideEdit(_ edit: OutsideEdit, _ id: RequestID) -> [Effect] {
        guard case .editor(var editor) = mode, editor.request == id else { return [] }
        switch edit {
        case .failed(let reason):
            say(reason, .refusal)
            return []
        case .written(let text) where text == editor.text:
            say("Nothing was changed in the editor.")
            return []
        case .written(let text):
            editor.replaceText(with: text)
            mode = .editor(editor)
            guard facts(of: editor.key).override?.value == editor.overrideHandedOut else {
                sayChangedMeanwhile(editor)
                return []
            }
            let effects = acceptValue()
            if mode == .list, message == nil {
                say("The value from the editor is set. \(keyWord(of: .undo)) undoes it.")
            }
            return effects
        }
    }
}

extension FlagFacts {
    /// Whether a text is not one of the options of a closed list.
    func isOutsideOptions(_ text: String) -> Bool {
        hasChoice && !isOpenToOtherValues && option(meaning: text) == nil
    }
}
