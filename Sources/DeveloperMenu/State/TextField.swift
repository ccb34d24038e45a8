import TerminalUI

/// One line of text with a cursor between grapheme clusters.
public struct TextField: Sendable, Hashable {
    /// The text, one element per grapheme cluster.
    public private(set) var characters: [Character]
    /// How many characters are before the cursor.
    public private(set) var cursor: Int

    /// A field with the cursor after its text.
    public init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    /// The text.
    public var text: String { String(characters) }

    /// Inserts text at the cursor and moves the cursor after it.
    ///
    /// - Parameter limit: the most characters of the field; the rest is dropped.
    /// - Returns: `false` if something was dropped.
    @discardableResult
    public mutating func insert(_ text: String, limit: Int = .max) -> Bool {
        let typed = Array(text)
        let added = Array(typed.prefix(max(0, limit - characters.count)))
        replace(cursor..<cursor, with: added)
        return added.count == typed.count
    }

    /// Edits the line.
    mutating func edit(_ edit: LineEdit) {
        switch edit {
        case .moveLeft: cursor = max(0, cursor - 1)
        case .moveRight: cursor = min(characters.count, cursor + 1)
        case .nextWord: cursor = endOfNextWord
        case .previousWord: cursor = startOfPreviousWord
        case .moveToFirst: cursor = 0
        case .moveToLast: cursor = characters.count
        case .deleteBackward: delete(from: max(0, cursor - 1), to: cursor)
        case .deleteForward: delete(from: cursor, to: min(characters.count, cursor + 1))
        case .deleteWord: delete(from: startOfWord, to: cursor)
        case .deleteToStart: delete(from: 0, to: cursor)
        case .deleteToEnd: delete(from: cursor, to: characters.count)
        }
    }

    /// The start of the word before the cursor, including white space after it.
    var startOfWord: Int {
        var start = cursor
        while start > 0, characters[start - 1].isWhitespace { start -= 1 }
        while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
        return start
    }

    private var startOfPreviousWord: Int {
        var start = cursor
        while start > 0, !characters[start - 1].isWordPart { start -= 1 }
        while start > 0, characters[start - 1].isWordPart { start -= 1 }
        return start
    }

    private var endOfNextWord: Int {
        var end = cursor
        while end < characters.count, !characters[end].isWordPart { end += 1 }
        while end < characters.count, characters[end].isWordPart { end += 1 }
        return end
    }

    /// Moves the cursor to a position within the text.
    public mutating func move(to position: Int) {
        cursor = max(0, min(position, characters.count))
    }

    /// Replaces characters with text, and moves the cursor after it.
    public mutating func replace(_ range: Range<Int>, with text: String) {
        replace(range, with: Array(text))
    }

    private mutating func delete(from start: Int, to end: Int) {
        replace(start..<end, with: [])
    }

    /// Replaces characters and moves the cursor after the new ones.
    private mutating func replace(_ range: Range<Int>, with added: [Character]) {
        let before = characters[..<range.lowerBound].last
        let after = characters[range.upperBound...].first
        if (added.first ?? after).staysApart(from: before), after.staysApart(from: added.last ?? before) {
            characters.replaceSubrange(range, with: added)
            cursor = range.lowerBound + added.count
        } else {
            join(String(characters[..<range.lowerBound] + added), String(characters[range.upperBound...]))
        }
    }

    /// A combining mark joins the previous character if two texts meet, so characters are split again.
    private mutating func join(_ before: String, _ after: String) {
        characters = Array(before + after)
        cursor = min(before.count, characters.count)
    }
}

extension Character? {
    /// Whether this certainly is a separate character from the previous one, as both are ASCII: then a text of any
    /// length can be changed in place. (Only a line feed joins a carriage return.)
    fileprivate func staysApart(from previous: Character?) -> Bool {
        guard let self, let previous else { return true }
        return self.isASCII && previous.isASCII && self != "\n"
    }
}

extension Character {
    /// Letters, digits and `_`, which form words for moving the cursor.
    fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
