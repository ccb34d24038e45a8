import TerminalUI

/// One line of text with a cursor between grapheme clusters.
public struct TextField: Sendable, Hashable {
    /// The text, one element per grapheme cluster.
    public private(set) var characters: [Character]
    /// The number of characters before the cursor.
    public private(set) var cursor: Int

    /// Creates a field with the cursor at the end of the text.
    public init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    /// The text.
    public var text: String { String(characters) }

    /// Inserts text at the cursor and moves the cursor after it.
    ///
    /// - Parameter limit: the maximum number of characters in the field; further characters are dropped.
    /// - Returns: whether all of the text was inserted.
    @discardableResult
    public mutating func insert(_ text: String, limit: Int = .max) -> Bool {
        let typed = Array(text)
        let added = Array(typed.prefix(max(0, limit - characters.count)))
        replace(cursor..<cursor, with: added)
        return added.count == typed.count
    }

    /// Edits the text or moves the cursor.
    mutating func edit(_ edit: LineEdit) {
        let whole = 0..<characters.count
        if edit.isMove {
            cursor = target(of: edit, in: whole)
        } else {
            replace(deletion(by: edit, in: whole), with: [])
        }
    }

    /// The characters that an edit deletes.
    ///
    /// - Parameter line: the line of the cursor, in a text of several lines.
    func deletion(by edit: LineEdit, in line: Range<Int>) -> Range<Int> {
        let target = target(of: edit, in: line)
        return min(cursor, target)..<max(cursor, target)
    }

    /// The position to which an edit moves the cursor, or up to which it deletes. At the edge of a line, a line is
    /// deleted up to behind the line break, so that a repeated key press deletes further lines.
    ///
    /// - Parameter line: the line of the cursor, in a text of several lines.
    func target(of edit: LineEdit, in line: Range<Int>) -> Int {
        let (before, after) = (max(0, cursor - 1), min(characters.count, cursor + 1))
        return switch edit {
        case .moveLeft, .deleteBackward: before
        case .moveRight, .deleteForward: after
        case .nextWord: characters[cursor...].drop { !$0.isWordPart }.drop(while: \.isWordPart).startIndex
        case .previousWord: startOfWord(where: \.isWordPart)
        case .deleteWord: startOfWord { !$0.isWhitespace }
        case .moveToFirst: line.lowerBound
        case .moveToLast: line.upperBound
        case .deleteToStart: cursor == line.lowerBound ? before : line.lowerBound
        case .deleteToEnd: cursor == line.upperBound ? after : line.upperBound
        }
    }

    /// The index at which the word before the cursor starts. What is between the word and the cursor is skipped.
    private func startOfWord(where isWordPart: (Character) -> Bool) -> Int {
        characters[..<cursor].reversed().drop { !isWordPart($0) }.drop(while: isWordPart).count
    }

    /// Moves the cursor to an index, which is clamped to the text.
    public mutating func move(to position: Int) {
        cursor = max(0, min(position, characters.count))
    }

    /// Replaces characters with a text, and moves the cursor after the text.
    public mutating func replace(_ range: Range<Int>, with text: String) {
        replace(range, with: Array(text))
    }

    /// Replaces characters and moves the cursor after the new ones.
    private mutating func replace(_ range: Range<Int>, with added: [Character]) {
        let previous = characters[..<range.lowerBound].last
        let next = characters[range.upperBound...].first
        if (added.first ?? next).staysApart(from: previous), next.staysApart(from: added.last ?? previous) {
            characters.replaceSubrange(range, with: added)
            cursor = range.lowerBound + added.count
        } else {
            // The joined text is split into characters again: a combining mark at the start of a text combines with the
            // last character before it.
            let before = String(characters[..<range.lowerBound] + added)
            characters = Array(before + String(characters[range.upperBound...]))
            cursor = min(before.count, characters.count)
        }
    }
}

extension Character? {
    /// Whether this character certainly does not combine with the previous one: both are ASCII, and they are not a
    /// carriage return and a line feed. If so, a text of any length can be edited in place.
    fileprivate func staysApart(from previous: Character?) -> Bool {
        guard let self, let previous else { return true }
        return self.isASCII && previous.isASCII && self != "\n"
    }
}

extension Character {
    /// Whether the character is part of a word for moving the cursor: a letter, a digit or `_`.
    fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}

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
