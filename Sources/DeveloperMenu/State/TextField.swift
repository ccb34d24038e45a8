import TerminalUI

/// One line of text with a cursor between grapheme clusters.
public struct TextField: Sendable, Hashable {
    /// The text, one element a grapheme cluster.
    public private(set) var characters: [Character]
    /// How many characters stand before the cursor.
    public private(set) var cursor: Int

    /// A field with the cursor behind its text.
    public init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    /// The text.
    public var text: String { String(characters) }

    /// Puts text where the cursor is and moves the cursor behind it.
    public mutating func insert(_ text: String) {
        join(String(characters[..<cursor]) + text, String(characters[cursor...]))
    }

    /// Carries out an intent of line editing.
    ///
    /// - Returns: `false` when the intent is not one of line editing.
    public mutating func edit(_ intent: Intent) -> Bool {
        switch intent {
        case .moveLeft: cursor = max(0, cursor - 1)
        case .moveRight: cursor = min(characters.count, cursor + 1)
        case .moveToFirst: cursor = 0
        case .moveToLast: cursor = characters.count
        case .deleteBackward: delete(from: max(0, cursor - 1), to: cursor)
        case .deleteForward: delete(from: cursor, to: min(characters.count, cursor + 1))
        case .deleteWord: delete(from: startOfWord, to: cursor)
        case .deleteToStart: delete(from: 0, to: cursor)
        case .deleteToEnd: delete(from: cursor, to: characters.count)
        default: return false
        }
        return true
    }

    private var startOfWord: Int {
        var start = cursor
        while start > 0, characters[start - 1].isWhitespace { start -= 1 }
        while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
        return start
    }

    private mutating func delete(from start: Int, to end: Int) {
        join(String(characters[..<start]), String(characters[end...]))
    }

    /// A combining mark joins the character before it wherever two texts meet, so characters are counted anew.
    private mutating func join(_ before: String, _ after: String) {
        characters = Array(before + after)
        cursor = min(before.count, characters.count)
    }
}
