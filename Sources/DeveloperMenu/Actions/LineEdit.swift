import TerminalUI

/// An edit of a line of text.
enum LineEdit: String, Sendable, CaseIterable {
    case moveLeft, moveRight, nextWord, previousWord, moveToFirst, moveToLast
    case deleteBackward, deleteForward, deleteWord, deleteToStart, deleteToEnd

    /// Whether the edit only moves the cursor.
    var isMove: Bool {
        switch self {
        case .moveLeft, .moveRight, .nextWord, .previousWord, .moveToFirst, .moveToLast: true
        case .deleteBackward, .deleteForward, .deleteWord, .deleteToStart, .deleteToEnd: false
        }
    }
}

extension KeyPress {
    /// The text that the key adds to a line; `nil` for keys without text. Line breaks in a paste become spaces.
    var typedText: String? {
        switch self {
        case .character(let character): String(character)
        case .paste(let text): String(text.map { $0.isNewline ? " " : $0 })
        default: nil
        }
    }
}
