import FlagModel
import TerminalUI

extension MenuPart {
    /// The editor of a value on one line.
    public static let editor = MenuPart(id: "editor", heading: "While editing a value", opener: .open)
    /// The editor of JSON.
    public static let json = MenuPart(id: "json", heading: "While editing JSON", opener: .open)
}

// Editing a value. The text is saved when the user accepts it; an invalid text stays in the editor.
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
            .up, [.up, .control("p")], label: "one more", help: "Increase a whole number by one.",
            disabledReason: \.stepReason),
        .moving(
            .down, [.down, .control("n")], label: "one less", help: "Decrease a whole number by one.",
            disabledReason: \.stepReason),
        editOutside,
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
        Action("fold", [.tab], label: "fold", help: "Fold or unfold the object or array on this line.") { $0.fold() },
        editOutside,
        Action("insertLine", [.enter], label: "new line", help: "Start a new line, indented.") {
            $0.changeEditor { $0.insertLine() }
        },
        Action(
            "asText", [.control("t")], help: "Edit a text flag as text, without the checks of JSON.",
            disabledReason: \.asTextReason
        ) { $0.changeEditor { $0.editAsText() } },
        Action("foldAll", [.backTab], help: "Fold or unfold everything.") {
            $0.changeEditor { $0.toggleAllFolds() }
        },
        .moving(.up, [.up, .control("p")], help: "Move the cursor up."),
        .moving(.down, [.down, .control("n")], help: "Move the cursor down."),
        .moving(.pageUp, [.pageUp], help: "Move the cursor one page up."),
        .moving(.pageDown, [.pageDown], help: "Move the cursor one page down."),
        undoTyping,
    ]

    private static let editOutside = Action(
        .editOutside, [.control("g")], label: "$EDITOR", help: "Edit the value in $EDITOR.", .changesValues
    ) { $0.editOutside() }

    private static let undoTyping = Action(
        .undo, [.control("_")], help: "Undo the last edit.", disabledReason: \.typingReason
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
        if isDocument { editDocument(edit) } else { editLine(edit) }
    }

    /// Inserts a typed character or a paste. Line breaks in a paste are inserted as text.
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
    /// Opens the text in the user's own editor.
    fileprivate mutating func editOutside() -> [Effect] {
        guard let editor = sheet(ValueEditor.self) else { return [] }
        let id = makeRequestID()
        mode = .editor(openedOutside(editor, id))
        return [.editOutside(id: id, text: editor.text, type: editor.type)]
    }

    fileprivate mutating func fold() -> [Effect] {
        let previousMode = mode
        let effects = changeEditor { $0.toggleFold() }
        if mode == previousMode { show("Nothing to fold here.", .rejection) }
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
        return "Only a whole number can be increased or decreased."
    }

    fileprivate var asTextReason: String? {
        guard let editor = sheet(ValueEditor.self), facts(of: editor.key).type != .string else { return nil }
        return "The flag's type is JSON."
    }

    fileprivate var typingReason: String? {
        guard let editor = sheet(ValueEditor.self), !editor.canUndo else { return nil }
        return "Nothing was typed yet."
    }

    /// Closes the editor. A changed document is dropped only after a warning and a second key press; a single line is
    /// dropped immediately, as it is quickly typed again.
    fileprivate mutating func leaveEditor() -> [Effect] {
        guard var editor = sheet(ValueEditor.self), editor.isDocument, editor.hasChanges, !editor.isWarned else {
            return closeSheet()
        }
        editor.isWarned = true
        mode = .editor(editor)
        let (save, drop) = (keyWord(of: .accept, in: .json), keyWord(of: .cancel, in: .json))
        show("Not saved. \(save) saves; \(drop) again discards your changes.", .rejection)
        return []
    }

    /// Saves the text. An invalid text stays in the editor, and the reason is shown. If the flag allows only its
    /// options, any other value needs confirmation.
    fileprivate mutating func acceptValue() -> [Effect] {
        guard case .editor(var editor) = mode else { return [] }
        let flag = facts(of: editor.key)
        if editor.isUnchanged(flag) { return closeUnchanged(flag) }
        if let invalidReason = editor.invalidReason {
            if editor.isDocument, let finding = ValueEditor.finding(in: editor.field) {
                editor.finding = finding
                editor.reveal(finding.index)
            }
            editor.error = invalidReason
            mode = .editor(editor)
            return []
        }
        if flag.isOutsideOptions(editor.value(for: flag)) {
            mode = .otherValue(OtherValueDialog(editor: editor))
            return []
        }
        return saveValue(of: editor)
    }

    /// Closes the sheet of a flag whose value the user has not changed.
    mutating func closeUnchanged(_ flag: FlagFacts) -> [Effect] {
        mode = .list
        show(flag.override == nil ? "\(flag.name) was not changed." : "\(flag.name) already has that override.")
        return []
    }

    /// Closes the editor and saves its value, unless it equals the override.
    mutating func saveValue(of editor: ValueEditor) -> [Effect] {
        let flag = facts(of: editor.key)
        let value = editor.value(for: flag)
        guard flag.override?.value != value else { return closeUnchanged(flag) }
        mode = .list
        return save([.set(key: flag.key, value: value)], label: "set \(flag.key)")
    }

    /// A copy of the editor that stores the request and the current override, while the text is open in the user's own
    /// editor.
    private func openedOutside(_ editor: ValueEditor, _ id: RequestID) -> ValueEditor {
        var editor = editor
        editor.request = id
        editor.overrideBeforeOutsideEdit = facts(of: editor.key).override?.value
        return editor
    }

    /// Shows that the override changed while the user's own editor hid the menu, and that the text is not saved yet.
    private mutating func showChangedMeanwhile(_ editor: ValueEditor) {
        let value = facts(of: editor.key).override?.value.orQuotes
        let change = value.map { "was set to \($0)" } ?? "was cleared"
        let save = keyWord(of: .accept, in: mode.part)
        show("Not saved yet; \(save) saves. Meanwhile the override \(change).", .rejection)
    }

    /// Handles the result of the user's own editor. A changed, valid text is saved, unless the override changed
    /// meanwhile. Otherwise the menu's editor stays open.
    mutating func receive(_ edit: OutsideEdit, _ id: RequestID) -> [Effect] {
        guard case .editor(var editor) = mode, editor.request == id else { return [] }
        switch edit {
        case .failed(let reason):
            show(reason, .rejection)
            return []
        case .written(let text) where text == editor.text:
            show("Nothing was changed in the editor.")
            return []
        case .written(let text):
            editor.replaceText(with: text)
            mode = .editor(editor)
            guard facts(of: editor.key).override?.value == editor.overrideBeforeOutsideEdit else {
                showChangedMeanwhile(editor)
                return []
            }
            let effects = acceptValue()
            if mode == .list, message == nil {
                show("The value from the editor is set. \(keyWord(of: .undo)) undoes it.")
            }
            return effects
        }
    }
}

extension FlagFacts {
    /// Whether only the options are valid and a text is not one of them.
    func isOutsideOptions(_ text: String) -> Bool {
        hasChoice && !isOpenToOtherValues && option(meaning: text) == nil
    }
}
