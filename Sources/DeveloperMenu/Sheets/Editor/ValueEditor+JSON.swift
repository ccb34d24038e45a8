import FlagModel

// JSON is edited as a document of several lines. Folded text is only hidden. A key that would change folded text
// unfolds the text instead.
extension ValueEditor {
    /// The maximum number of characters of a text that is checked at each key press. A longer text is checked when it
    /// is saved.
    static let liveLimit = 100_000

    /// Whether the text is edited as a document of several lines, as JSON is.
    var isDocument: Bool { type == .json }

    /// The visible lines of the text.
    var lines: DocumentLines { DocumentLines(field.characters, folds: folds) }

    /// Looks for the first error in the JSON, unless it has more than `limit` characters.
    mutating func check(upTo limit: Int = liveLimit) {
        finding = nil
        guard field.characters.count <= limit else { return }
        do { _ = try JSONDocument(parsing: Array(field.text.utf8)) } catch { finding = error }
    }

    /// The index of the character at the error in JSON; `nil` without an error.
    var errorIndex: Int? {
        guard let finding else { return nil }
        let lines = DocumentLines(field.characters).lines
        let line = lines[min(finding.line, lines.count) - 1].range
        var scalarsLeft = finding.column - 1
        return line.first { index in
            defer { scalarsLeft -= field.characters[index].unicodeScalars.count }
            return scalarsLeft <= 0
        } ?? line.upperBound
    }

    /// Moves the cursor, or deletes text; the first key that deletes something of a kept value deletes everything.
    mutating func edit(_ edit: LineEdit, in state: MenuState) {
        isWarned = false
        let whole = 0..<field.characters.count
        let line = isDocument ? lines.line(of: field.cursor).range : whole
        guard !edit.isMove else { return move(edit, in: line) }
        let deletesAll = replacesAll && [.deleteBackward, .deleteForward, .deleteWord].contains(edit)
        replace(deletesAll ? whole : field.deletion(by: edit, in: line), with: "")
    }

    /// Moves the cursor from line to line in a document; otherwise increases or decreases a whole number.
    mutating func move(_ movement: Movement, in state: MenuState) {
        isWarned = false
        // A page overlaps the previous page by one line.
        let page = max(1, scrolled.room - 1)
        switch movement {
        case .up where !isDocument: step(by: 1)
        case .down where !isDocument: step(by: -1)
        case .up: moveVertically(-1)
        case .down: moveVertically(1)
        case .pageUp: moveVertically(-page)
        case .pageDown: moveVertically(page)
        case .first: moveCursor(to: 0)
        case .last: moveCursor(to: field.characters.count)
        }
    }

    // MARK: moving

    /// Moves the cursor by a character, by a word, or to an end of its line. Skips folds.
    private mutating func move(_ edit: LineEdit, in line: Range<Int>) {
        let oldCursor = field.cursor
        goalColumn = nil
        moveCursor(to: field.target(of: edit, in: line))
        guard let fold = lines.fold(around: field.cursor) else { return }
        moveCursor(to: field.cursor > oldCursor ? fold.upperBound : fold.lowerBound)
    }

    private mutating func moveVertically(_ count: Int) {
        let lines = lines
        let index = lines.index(of: field.cursor)
        let column = goalColumn ?? lines.positions(on: lines.lines[index]).firstIndex { $0 >= field.cursor } ?? 0
        let positions = lines.positions(on: lines.lines[max(0, min(index + count, lines.lines.count - 1))])
        moveCursor(to: positions[min(column, positions.count - 1)])
        goalColumn = column
    }

    /// Moves the cursor to a position, and opens the folds that hide the position.
    mutating func reveal(_ position: Int) {
        folds.removeAll { $0.lowerBound < position && position < $0.upperBound }
        moveCursor(to: position)
    }

    // MARK: changing

    /// Starts a new line with the indentation of the current one, or two spaces more after an opening bracket.
    mutating func insertLine() {
        let textBefore = field.characters[lines.line(of: field.cursor).range.lowerBound..<field.cursor]
        let lastCharacter = textBefore.last { $0 != " " }
        let indentation = textBefore.prefix { $0 == " " }.count
        let isAfterBracket = lastCharacter == "{" || lastCharacter == "["
        let spaces = String(repeating: " ", count: indentation + (isAfterBracket ? 2 : 0))
        let next = field.cursor < field.characters.count ? field.characters[field.cursor] : nil
        let isBetweenBrackets = isAfterBracket && (next == "}" || next == "]")
        let closingLine = isBetweenBrackets ? "\n" + String(repeating: " ", count: indentation) : ""
        replace(field.cursor..<field.cursor, with: "\n\(spaces)\(closingLine)")
        moveCursor(to: field.cursor - closingLine.count)
    }

    /// Replaces characters. If the range touches folds or their brackets, only unfolds these folds.
    mutating func replace(_ range: Range<Int>, with text: String) {
        let touched = folds.filter { !range.isEmpty && range.overlaps($0.lowerBound - 1..<$0.upperBound + 1) }
        guard touched.isEmpty else {
            folds.removeAll(where: touched.contains)
            return
        }
        change { $0.replace(range, with: text) }
    }

    // MARK: folding

    /// Unfolds the cursor's line. If the line has no folds, folds the object or array that begins on the line. If none
    /// begins there, folds the one that contains the line.
    mutating func toggleFold() {
        let line = lines.line(of: field.cursor).range
        let foldsOnLine = folds.filter { line.contains($0.lowerBound) || line.upperBound == $0.lowerBound }
        guard foldsOnLine.isEmpty else { return folds.removeAll(where: foldsOnLine.contains) }
        let pairs = foldable
        let opened = pairs.last { line.contains($0.lowerBound - 1) && $0.upperBound > line.upperBound }
        let enclosing = pairs.last { $0.lowerBound <= line.lowerBound && line.upperBound <= $0.upperBound }
        guard let pair = opened ?? enclosing else { return }
        fold([pair])
    }

    /// Unfolds everything; if nothing is folded, folds the objects and arrays directly within the outermost one.
    mutating func toggleAllFolds() {
        guard folds.isEmpty else { return folds = [] }
        let pairs = foldable
        guard let outer = pairs.first else { return }
        let inner = pairs.dropFirst().filter { outer.contains($0.lowerBound) }
        fold(inner.filter { pair in !inner.contains { $0 != pair && $0.contains(pair.lowerBound) } })
    }

    /// The ranges between brackets that span lines.
    private var foldable: [Range<Int>] {
        JSONOutline.brackets(in: field.characters).filter { field.characters[$0].contains(where: \.isNewline) }
    }

    /// Folds ranges, and removes the folds inside these ranges.
    private mutating func fold(_ pairs: [Range<Int>]) {
        folds.removeAll { fold in pairs.contains { $0.contains(fold.lowerBound) } }
        folds = (folds + pairs).sorted { $0.lowerBound < $1.lowerBound }
        if let fold = lines.fold(around: field.cursor) { moveCursor(to: fold.lowerBound) }
    }

    /// Moves the folds after a change of the text with their text, and removes those that are no longer between
    /// brackets.
    mutating func moveFolds(from oldCharacters: [Character]) {
        let position = zip(oldCharacters, field.characters).prefix { $0 == $1 }.count
        let growth = field.characters.count - oldCharacters.count
        let pairs = Set(JSONOutline.brackets(in: field.characters))
        folds = folds.map { fold in
            fold.lowerBound >= position ? fold.lowerBound + growth..<fold.upperBound + growth : fold
        }.filter(pairs.contains)
    }
}
