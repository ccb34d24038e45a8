import FlagModel

extension MenuState {
    mutating func performInEditor(_ intent: Intent) -> [Effect] {
        guard case .editor(var editor) = mode else { return [] }
        switch intent {
        case .cancel: return closeSheet()
        case .accept:
            let text = editor.field.text
            if let objection = editor.type.objection(to: text) {
                editor.refusal = objection
                mode = .editor(editor)
                return []
            }
            mode = .list
            return save([.set(key: editor.key.string, value: text)], label: "set \(editor.key.string)")
        default:
            editValue { _ = $0.edit(intent) }
            return []
        }
    }

    /// Changes the value under correction; a refusal has been read by then.
    mutating func editValue(_ change: (inout TextField) -> Void) {
        guard case .editor(var editor) = mode else { return }
        change(&editor.field)
        editor.refusal = nil
        mode = .editor(editor)
    }
}
