import FlagModel
import TerminalUI

// How a value is written: nothing is stored before it is accepted, and nothing that is refused is lost.
extension MenuState {
    mutating func performInEditor(_ intent: Intent) -> [Effect] {
        switch intent {
        case .cancel: return closeSheet()
        case .accept: return acceptValue()
        case .moveUp: changeEditor { $0.step(by: 1) }
        case .moveDown: changeEditor { $0.step(by: -1) }
        case .undo: changeEditor { $0.undo() }
        default: changeEditor { $0.edit(intent) }
        }
        return []
    }

    /// A character or a paste, with its line breaks: they are text here and press nothing.
    mutating func typeValue(_ key: KeyPress) {
        switch key {
        case .character(let character): changeEditor { $0.type(character) }
        case .paste(let text): changeEditor { $0.paste(text) }
        default: break
        }
    }

    private mutating func changeEditor(_ change: (inout ValueEditor) -> Void) {
        guard case .editor(var editor) = mode else { return }
        change(&editor)
        mode = .editor(editor)
    }

    /// Saves the text, or says why not and leaves it for correction; a value outside a closed list is asked about.
    private mutating func acceptValue() -> [Effect] {
        guard case .editor(var editor) = mode else { return [] }
        if let objection = editor.objection {
            editor.refusal = objection
            mode = .editor(editor)
            return []
        }
        if facts(of: editor.key).isOutsideOptions(editor.text) {
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
        // An option's own spelling, such as `true` for `on`, as everywhere else.
        let value = flag.option(meaning: editor.text)?.value ?? editor.text
        mode = .list
        guard flag.override?.value != value else {
            say("\(flag.name) is overridden with that value already.")
            return []
        }
        return save([.set(key: flag.key, value: value)], label: "set \(flag.key)")
    }
}

extension FlagFacts {
    /// Whether a text is none of the options where they are all there is.
    func isOutsideOptions(_ text: String) -> Bool {
        hasChoice && !isOpenToOtherValues && option(meaning: text) == nil
    }
}
