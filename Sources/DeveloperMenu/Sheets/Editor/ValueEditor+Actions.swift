import FlagModel
import TerminalUI

extension MenuPart {
    /// The editor of a value on one line.
    public static let editor = MenuPart(id: "editor", heading: "While editing a value")
    /// The editor of JSON.
    public static let json = MenuPart(id: "json", heading: "While editing JSON")
}

// Editing a value. The text is saved when the user accepts it; an invalid text stays in the editor.
extension ValueEditor: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] {
        let common = ActionTable.line + ActionTable.programAndHelpWhileTyping
        return [(.editor, actions + common), (.json, documentActions + common)]
    }

    static let part = MenuPart.editor
    static let actions: [Action] = [
        action(.accept, [.enter, .control("s")], label: "save", help: "Check the value and save it.", .changesValues) {
            $0.accept(in: &$1)
        },
        closing([.escape], help: "Close the editor and change nothing."),
        step(.up, [.up, .control("p")], label: "one more", help: "Increase a whole number by one."),
        step(.down, [.down, .control("n")], label: "one less", help: "Decrease a whole number by one."),
        editOutside,
        undoTyping,
    ]

    private static func step(_ movement: Movement, _ keys: [KeyPress], label: String, help: String) -> Action {
        .moving(movement, keys, label: label, help: help) { state in
            state.sheet(Self.self).map(\.type) == .int ? nil : "Only a whole number can be increased or decreased."
        }
    }

    private static let documentActions: [Action] = [
        action(
            .accept, [.control("s"), .function(2)], label: "save", help: "Check the JSON and save it.", .changesValues
        ) { $0.accept(in: &$1) },
        closing([.escape], help: "Close the editor; asks if you have typed.") { $0.leave(in: &$1) },
        action("fold", [.tab], label: "fold", help: "Fold or unfold the object or array on this line.") {
            let before = $0.folds
            let effects = $0.changed { $0.toggleFold() }
            if $0.folds == before { $1.show("Nothing to fold here.", .rejection) }
            return effects
        },
        editOutside,
        action("insertLine", [.enter], label: "new line", help: "Start a new line, indented.") { editor, _ in
            editor.changed { $0.insertLine() }
        },
        action(
            "asText", [.control("t")], help: "Edit a text flag as text, without the checks of JSON.",
            disabledReason: { $1.facts(of: $0.key).type == .string ? nil : "The flag's type is JSON." }
        ) { editor, _ in editor.changed { $0.editAsText() } },
        action("foldAll", [.backTab], help: "Fold or unfold everything.") { editor, _ in
            editor.changed { $0.toggleAllFolds() }
        },
        .moving(.up, [.up, .control("p")], help: "Move the cursor up."),
        .moving(.down, [.down, .control("n")], help: "Move the cursor down."),
        .moving(.pageUp, [.pageUp], help: "Move the cursor one page up."),
        .moving(.pageDown, [.pageDown], help: "Move the cursor one page down."),
        undoTyping,
    ]

    private static let editOutside = action(
        .editOutside, [.control("g")], label: "$EDITOR", help: "Edit the value in $EDITOR.", .changesValues
    ) { editor, state in
        let id = state.makeRequestID()
        editor.request = id
        editor.overrideBeforeOutsideEdit = state.facts(of: editor.key).override?.value
        return [.editOutside(id: id, text: editor.text, type: editor.type)]
    }

    private static let undoTyping = action(
        .undo, [.control("_")], help: "Undo the last edit.",
        disabledReason: { editor, _ in editor.canUndo ? nil : "Nothing was typed yet." }
    ) { editor, _ in editor.changed { $0.undo() } }

    var part: MenuPart { isDocument ? .json : .editor }

    private mutating func changed(_ change: (inout ValueEditor) -> Void) -> [Effect] {
        change(&self)
        isWarned = false
        return []
    }

    /// Inserts a typed character or a paste. Line breaks in a paste are inserted as text.
    mutating func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        if case .paste(let text) = key { return changed { $0.paste(text) } }
        guard case .character(let character) = key else { return [] }
        return changed { $0.type(character) }
    }

    mutating func write(_ text: String) { replaceText(with: text) }

    /// Closes the editor. A changed document is dropped only after a warning and a second key press; a single line is
    /// dropped immediately, as it is quickly typed again.
    private mutating func leave(in state: inout MenuState) -> [Effect] {
        guard hasChanges, !isWarned else { return state.closeSheet() }
        isWarned = true
        let (save, drop) = (state.keyWord(of: .accept, in: .json), state.keyWord(of: .cancel, in: .json))
        return state.show("Not saved. \(save) saves; \(drop) again discards your changes.", .rejection)
    }

    /// Saves the text. An invalid text stays in the editor, and the reason is shown. If the flag allows only its
    /// options, any other value needs confirmation.
    private mutating func accept(in state: inout MenuState) -> [Effect] {
        isWarned = false
        let flag = state.facts(of: key)
        if isUnchanged(flag) { return state.closeUnchanged(flag) }
        if let invalidReason {
            if isDocument { check(upTo: .max) }
            if let errorIndex { reveal(errorIndex) }
            error = invalidReason
            return []
        }
        return flag.isOutsideOptions(value(for: flag)) ? state.open(OtherValueDialog(editor: self)) : save(in: &state)
    }

    /// Closes the editor and saves its value, unless it equals the override.
    func save(in state: inout MenuState) -> [Effect] {
        let flag = state.facts(of: key)
        let value = value(for: flag)
        guard flag.override?.value != value else { return state.closeUnchanged(flag) }
        return state.closeSheet() + state.save([.set(key: flag.key, value: value)], label: "set \(flag.key)")
    }

    /// Handles the result of the user's own editor. A changed, valid text is saved, unless the override changed
    /// meanwhile. Otherwise the menu's editor stays open.
    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]? {
        guard case .terminal(.editedOutside(let id, let edit)) = event, id == request else { return nil }
        switch edit {
        case .failed(let reason): state.show(reason, .rejection)
        case .written(let text) where text == self.text: state.show("Nothing was changed in the editor.")
        case .written(let text):
            replaceText(with: text)
            let override = state.facts(of: key).override?.value
            guard override == overrideBeforeOutsideEdit else {
                let change = (override?.orQuotes).map { "was set to \($0)" } ?? "was reset"
                let save = state.keyWord(of: .accept, in: part)
                return state.show("Not saved yet; \(save) saves. Meanwhile the override \(change).", .rejection)
            }
            let effects = accept(in: &state)
            if state.mode == .list, state.message == nil {
                state.show("The value from the editor is set. \(state.keyWord(of: .undo)) undoes it.")
            }
            return effects
        }
        return []
    }
}

extension MenuState {
    /// Closes the sheet of a flag whose value the user has not changed.
    mutating func closeUnchanged(_ flag: FlagFacts) -> [Effect] {
        show(flag.override == nil ? "\(flag.name) was not changed." : "\(flag.name) already has that override.")
        return closeSheet()
    }
}

extension FlagFacts {
    /// Whether only the options are valid and a text is not one of them.
    func isOutsideOptions(_ text: String) -> Bool {
        hasChoice && !isOpenToOtherValues && option(meaning: text) == nil
    }
}
