import FlagModel

/// The text of an editor, split into visible lines. Folded text belongs to the line on which the fold begins.
struct DocumentLines {
    /// One line of the text as shown.
    struct Line: Equatable {
        /// The indices of the characters, including folded ones, without the line break.
        let range: Range<Int>
        /// The line number, from 1; folded lines are counted too.
        let number: Int
    }

    let characters: [Character]
    /// The folded ranges, in order, not nested.
    let folds: [Range<Int>]
    let lines: [Line]

    init(_ characters: [Character], folds: [Range<Int>] = []) {
        self.characters = characters
        self.folds = folds
        var lines: [Line] = []
        var (start, startNumber, number) = (0, 1, 1)
        var remainingFolds = folds[...]
        for (index, character) in characters.enumerated() where character.isNewline {
            number += 1
            while let fold = remainingFolds.first, fold.upperBound <= index { remainingFolds.removeFirst() }
            if let fold = remainingFolds.first, fold.contains(index) { continue }
            lines.append(Line(range: start..<index, number: startNumber))
            (start, startNumber) = (index + 1, number)
        }
        self.lines = lines + [Line(range: start..<characters.count, number: startNumber)]
    }

    /// The index of the line that contains a position.
    func index(of position: Int) -> Int {
        lines.dropFirst().partitioningIndex { $0.range.lowerBound > position } - 1
    }

    /// The line that contains a position.
    func line(of position: Int) -> Line { lines[index(of: position)] }

    /// The fold that hides a cursor position; `nil` if the position is visible.
    func fold(around position: Int) -> Range<Int>? {
        folds.first { $0.lowerBound < position && position < $0.upperBound }
    }

    /// The visible cursor positions on a line, from left to right.
    func positions(on line: Line) -> [Int] {
        (line.range.lowerBound...line.range.upperBound).filter { fold(around: $0) == nil }
    }

    /// The number of leading spaces of a line.
    func indentation(of line: Line) -> Int { characters[line.range].prefix { $0 == " " }.count }
}

/// Finds the brackets in JSON, which may be incomplete.
enum JSONBrackets {
    /// The ranges between opening and closing brackets, in the order of the opening brackets. Unclosed brackets are
    /// left out.
    static func contents(of characters: [Character]) -> [Range<Int>] {
        var open: [Int] = []
        var pairs: [Range<Int>] = []
        var (isInString, isEscaped) = (false, false)
        for (index, character) in characters.enumerated() {
            if isInString {
                // An unclosed string ends at the end of its line, as JSON strings cannot contain line breaks.
                if character.isNewline || (character == "\"" && !isEscaped) { isInString = false }
                isEscaped = character == "\\" && !isEscaped
            } else if character == "\"" {
                (isInString, isEscaped) = (true, false)
            } else if character == "{" || character == "[" {
                open.append(index)
            } else if character == "}" || character == "]", let start = open.popLast() {
                pairs.append(start + 1..<index)
            }
        }
        return pairs.sorted { $0.lowerBound < $1.lowerBound }
    }
}
