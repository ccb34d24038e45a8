import FlagModel
import TerminalUI

// How a value is written: nothing is stored before it is accepted, and nothing that is refused is lost.
extension MenuState {
    mutating func performInEditor(_ intent: Intent) -> [Effect] {
        guard case .editor(let editor) = mode else { return [] }
        switch intent {
        case .cancel: return leaveEditor(editor)
        case .accept: return acceptValue()
        case .editOutside:
            let id = makeRequestID()
            mode = .editor(handedOut(editor, id))
            return [.editOutside(id: id, text: editor.text, type: editor.type)]
        case .undo: changeEditor { $0.undo() }
        case _ where editor.isDocument:
            let page = JSONEditorView(state: self, editor: editor, facts: facts(of: editor.key)).rows
            let before = editor
            changeEditor { $0.editDocument(intent, page: page) }
            if intent == .fold, mode == .editor(before) { say("There is nothing to fold here.", .refusal) }
        case .moveUp: changeEditor { $0.step(by: 1) }
        case .moveDown: changeEditor { $0.step(by: -1) }
        default: changeEditor { $0.edit(intent) }
        }
        return []
    }

    /// A character or a paste, with its line breaks: they are text here and press nothing.
    mutating func typeValue(_ key: KeyPress) {
        switch key {
        case .character(let character):
            changeEditor { $0.isDocument ? $0.typeInDocument(character) : $0.type(character) }
        case .paste(let text): changeEditor { $0.paste(text) }
        default: break
        }
    }

    private mutating func changeEditor(_ change: (inout ValueEditor) -> Void) {
        guard case .editor(var editor) = mode else { return }
        change(&editor)
        editor.isWarned = false
        open(editor)
    }

    /// Shows an editor, with its cursor in view.
    private mutating func open(_ editor: ValueEditor) {
        var editor = editor
        if editor.isDocument {
            editor.top = JSONEditorView(state: self, editor: editor, facts: facts(of: editor.key)).top
        }
        mode = .editor(editor)
    }

    /// One line is soon written again; what took longer is not dropped by one key.
    private mutating func leaveEditor(_ editor: ValueEditor) -> [Effect] {
        guard editor.isDocument, editor.hasChanges, !editor.isWarned else { return closeSheet() }
        var editor = editor
        editor.isWarned = true
        mode = .editor(editor)
        let (save, drop) = (keyWord(of: .accept, in: .json), keyWord(of: .cancel, in: .json))
        say("Not saved. \(save) saves; \(drop), once more, drops what was typed.", .refusal)
        return []
    }

    /// Saves the text, or says why not and leaves it for correction; a value outside a closed list is asked about.
    private mutating func acceptValue() -> [Effect] {
        guard case .editor(var editor) = mode else { return [] }
        if let objection = editor.objection {
            if editor.isDocument, let finding = ValueEditor.finding(in: editor.field) {
                editor.finding = finding
                editor.reveal(finding.index)
            }
            editor.refusal = objection
            open(editor)
            return []
        }
        let flag = facts(of: editor.key)
        if flag.isOutsideOptions(editor.value(for: flag)) {
            mode = .otherValue(editor)
            return []
        }
        return saveValue(of: editor)
    }

    mutating func answerOtherValue(_ intent: Intent) -> [Effect] {
        guard case .otherValue(let editor) = mode else { return [] }
        if intent == .accept { return saveValue(of: editor) }
        mode = .editor(editor)
        return []
    }

    private mutating func saveValue(of editor: ValueEditor) -> [Effect] {
        let flag = facts(of: editor.key)
        let value = editor.value(for: flag)
        mode = .list
        guard flag.override?.value != value else {
            say("\(flag.name) is overridden with that value already.")
            return []
        }
        return save([.set(key: flag.key, value: value)], label: "set \(flag.key)")
    }

    /// The editor with the override that its text is handed out over.
    private func handedOut(_ editor: ValueEditor, _ id: RequestID) -> ValueEditor {
        var editor = editor
        editor.request = id
        editor.overrideHandedOut = facts(of: editor.key).override?.value
        return editor
    }

    /// Who was in an editor of their own saw nothing of what happened here: saving waits until they have.
    private mutating func sayChangedMeanwhile(_ editor: ValueEditor) {
        let value = facts(of: editor.key).override?.value.orQuotes
        let news = value.map { "was set to \($0)" } ?? "was cleared"
        let save = keyWord(of: .accept, in: mode.context)
        say("Not saved yet; \(save) saves. Meanwhile the override \(news).", .refusal)
    }

    /// A text comes back from an editor of the user's. Saved there and valid means saved here; else it stays open.
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
            open(editor)
            guard facts(of: editor.key).override?.value == editor.overrideHandedOut else {
                sayChangedMeanwhile(editor)
                return []
            }
            let effects = acceptValue()
            if mode == .list, message == nil {
                say("What was written in the editor is set. \(keyWord(of: .undo)) takes it back.")
            }
            return effects
        }
    }
}

extension FlagFacts {
    /// Whether a text is none of the options where they are all there is.
    func isOutsideOptions(_ text: String) -> Bool {
        hasChoice && !isOpenToOtherValues && option(meaning: text) == nil
    }
}
