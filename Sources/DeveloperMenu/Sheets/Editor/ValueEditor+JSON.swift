public import FlagModel

// JSON is edited in lines. Folded text is only hidden: it is shown again before any key changes it.
extension ValueEditor {
    /// An error in JSON.
    public struct Finding: Sendable, Equatable {
        /// Line and column, as in messages, and the reason.
        public let error: JSONError
        /// The index of the character.
        public let index: Int
    }

    /// Longer texts are checked when they are saved, not at every key.
    static let liveLimit = 100_000

    /// Whether the text is edited in lines.
    public var isDocument: Bool { type == .json }

    /// The text in lines.
    var lines: DocumentLines { DocumentLines(field.characters, folds: folds) }

    /// The error in JSON, if any.
    static func finding(in field: TextField) -> Finding? {
        do {
            _ = try JSONDocument(parsing: Array(field.text.utf8))
            return nil
        } catch {
            return Finding(error: error, index: index(line: error.line, column: error.column, in: field.characters))
        }
    }

    private static func index(line: Int, column: Int, in characters: [Character]) -> Int {
        var index = 0
        var rest = line - 1
        while rest > 0, index < characters.count {
            if characters[index].unicodeScalars.contains("\n") { rest -= 1 }
            index += 1
        }
        var scalars = column - 1
        while scalars > 0, index < characters.count, !characters[index].isNewline {
            scalars -= characters[index].unicodeScalars.count
            index += 1
        }
        return index
    }

    /// Edits the text in lines.
    mutating func editDocument(_ edit: LineEdit) {
        if edit.isMove { move(edit) } else { delete(edit) }
    }

    /// Moves the cursor from line to line.
    mutating func moveInDocument(_ movement: Movement) {
        // One line of a page stays in view.
        let page = max(1, rowsInView - 1)
        switch movement {
        case .up: moveVertically(-1)
        case .down: moveVertically(1)
        case .pageUp: moveVertically(-page)
        case .pageDown: moveVertically(page)
        case .first: moveCursor(to: 0)
        case .last: moveCursor(to: field.characters.count)
        }
    }

    /// Types a character; a closing bracket at the start of a line is aligned with its opening one.
    mutating func typeInDocument(_ character: Character) {
        let start = lines.line(of: field.cursor).range.lowerBound
        let before = field.characters[start..<field.cursor]
        if character == "}" || character == "]", before.count >= 2, before.allSatisfy({ $0 == " " }) {
            replace(field.cursor - 2..<field.cursor, with: "")
        }
        type(character)
    }

    // MARK: moving

    private mutating func move(_ edit: LineEdit) {
        let before = field.cursor
        let lines = lines
        let line = lines.line(of: before)
        goal = nil
        if edit == .moveToFirst { return moveCursor(to: line.range.lowerBound) }
        if edit == .moveToLast { return moveCursor(to: line.range.upperBound) }
        moveCursor(by: edit)
        guard let fold = lines.fold(around: field.cursor) else { return }
        moveCursor(to: field.cursor > before ? fold.upperBound : fold.lowerBound)
    }

    private mutating func moveVertically(_ count: Int) {
        let lines = lines
        let index = lines.index(of: field.cursor)
        let column = goal ?? lines.places(on: lines.lines[index]).firstIndex { $0 >= field.cursor } ?? 0
        let places = lines.places(on: lines.lines[max(0, min(index + count, lines.lines.count - 1))])
        moveCursor(to: places[min(column, places.count - 1)])
        goal = column
    }

    /// Moves the cursor to a position, which is unfolded if necessary.
    mutating func reveal(_ position: Int) {
        folds.removeAll { $0.lowerBound < position && position < $0.upperBound }
        moveCursor(to: position)
    }

    // MARK: changing

    /// Inserts a line with the indentation of the previous one, or more after an opening bracket.
    mutating func insertLine() {
        let lines = lines
        let line = lines.line(of: field.cursor)
        let before = field.characters[line.range.lowerBound..<field.cursor].last { $0 != " " }
        let margin = min(lines.indentation(of: line), field.cursor - line.range.lowerBound)
        let isOpened = before == "{" || before == "["
        let spaces = String(repeating: " ", count: margin + (isOpened ? 2 : 0))
        let next = field.cursor < field.characters.count ? field.characters[field.cursor] : nil
        let closes = isOpened && (next == "}" || next == "]")
        let rest = closes ? "\n" + String(repeating: " ", count: margin) : ""
        replace(field.cursor..<field.cursor, with: "\n\(spaces)\(rest)")
        moveCursor(to: field.cursor - rest.count)
    }

    private mutating func delete(_ edit: LineEdit) {
        let (cursor, end) = (field.cursor, field.characters.count)
        let line = lines.line(of: cursor).range
        let range: Range<Int>
        switch edit {
        case .moveLeft, .moveRight, .nextWord, .previousWord, .moveToFirst, .moveToLast: return
        case .deleteBackward: range = max(0, cursor - 1)..<cursor
        case .deleteForward: range = cursor..<min(end, cursor + 1)
        case .deleteWord: range = field.startOfWord..<cursor
        // At the edge of a line its line break is deleted, so that the key can be held down.
        case .deleteToStart: range = (cursor == line.lowerBound ? max(0, cursor - 1) : line.lowerBound)..<cursor
        case .deleteToEnd: range = cursor..<(cursor == line.upperBound ? min(end, cursor + 1) : line.upperBound)
        }
        replace(range, with: "")
    }

    /// Replaces characters; if they or brackets around them are folded, they are shown first.
    private mutating func replace(_ range: Range<Int>, with text: String) {
        let touched = folds.filter { !range.isEmpty && range.overlaps($0.lowerBound - 1..<$0.upperBound + 1) }
        guard touched.isEmpty else {
            folds.removeAll(where: touched.contains)
            return
        }
        change { $0.replace(range, with: text) }
    }

    // MARK: folding

    /// Unfolds the cursor's line, or folds what opens there, or what contains the line.
    mutating func toggleFold() {
        let line = lines.line(of: field.cursor).range
        let here = folds.filter { line.contains($0.lowerBound) || line.upperBound == $0.lowerBound }
        guard here.isEmpty else { return folds.removeAll(where: here.contains) }
        let pairs = JSONBrackets.contents(of: field.characters).filter { spansLines($0) }
        let opened = pairs.last { line.contains($0.lowerBound - 1) && $0.upperBound > line.upperBound }
        let around = pairs.last { $0.lowerBound <= line.lowerBound && line.upperBound <= $0.upperBound }
        guard let pair = opened ?? around else { return }
        fold([pair])
    }

    /// Unfolds everything, or folds every object and array within the outermost.
    mutating func toggleAllFolds() {
        guard folds.isEmpty else { return folds = [] }
        let pairs = JSONBrackets.contents(of: field.characters).filter { spansLines($0) }
        guard let outer = pairs.first else { return }
        let inner = pairs.dropFirst().filter { outer.contains($0.lowerBound) }
        fold(inner.filter { pair in !inner.contains { $0 != pair && $0.contains(pair.lowerBound) } })
    }

    private func spansLines(_ pair: Range<Int>) -> Bool { field.characters[pair].contains(where: \.isNewline) }

    private mutating func fold(_ pairs: [Range<Int>]) {
        folds.removeAll { fold in pairs.contains { $0.contains(fold.lowerBound) } }
        folds = (folds + pairs).sorted { $0.lowerBound < $1.lowerBound }
        if let fold = lines.fold(around: field.cursor) { moveCursor(to: fold.lowerBound) }
    }

    /// Folds after a change: moved with their text, and removed if they are no longer between brackets.
    static func folds(_ folds: [Range<Int>], after change: Int, at position: Int, in characters: [Character])
        -> [Range<Int>]
    {
        guard !folds.isEmpty else { return [] }
        let pairs = Set(JSONBrackets.contents(of: characters))
        return folds.map { fold in
            fold.lowerBound >= position ? fold.lowerBound + change..<fold.upperBound + change : fold
        }.filter(pairs.contains)
    }
}
