/// What a key press asks for, independent of the key that is bound to it.
public enum Intent: String, Sendable, CaseIterable {
    // Moving
    case moveDown, moveUp, moveLeft, moveRight
    case pageDown, pageUp, moveToFirst, moveToLast
    case nextCategory, previousCategory
    case nextFlag, previousFlag
    case nextWord, previousWord

    // Flags
    case toggle, open, edit, explain, clear, clearCategory, clearAll, setListed, clearListed, undo, redo, retry

    // What is listed
    case filter, nextMatch, previousMatch, showOverriddenOnly, changeOrder, pin, complete

    // Remote values
    case fetch, activate

    // Every action by its name, and what is known beyond the list
    case palette, copy, copyKey, copyValue, copyCommand, copyLastCommand, copyText, log, history, nextReport
    case context, addMember, resetContext
    case sources, status, doctor, paths, config, shellCommands, export, importAdding, importReplacing

    // Inside a prompt or a sheet
    case accept, cancel, useRemote
    case deleteBackward, deleteForward, deleteWord, deleteToStart, deleteToEnd

    // Inside an editor
    case insertLine, fold, foldAll, editOutside

    // The program
    case changeTheme, switchMouse
    case help, quit, interrupt, suspend, repaint
}

extension Intent {
    /// The index in a list to which the intent moves from another one; `nil` for those that do not move up or down.
    func index(after index: Int, of count: Int, page: Int = 1) -> Int? {
        let target: Int? =
            switch self {
            case .moveDown: index + 1
            case .moveUp: index - 1
            case .pageDown: index + page
            case .pageUp: index - page
            case .moveToFirst: 0
            case .moveToLast: count - 1
            default: nil
            }
        return target.map { max(0, min($0, count - 1)) }
    }
}
