import FlagModel

/// A text in lines as the editor shows them: folded text belongs to the line on which it begins.
struct DocumentLines {
    /// One line of the screen.
    struct Line: Equatable {
        /// Its characters, including folded ones, without the line break.
        let range: Range<Int>
        /// Its number in the whole text, from 1.
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
        var (start, number, first) = (0, 1, 1)
        var rest = folds[...]
        for (index, character) in characters.enumerated() where character.isNewline {
            number += 1
            while let fold = rest.first, fold.upperBound <= index { rest.removeFirst() }
            if let fold = rest.first, fold.contains(index) { continue }
            lines.append(Line(range: start..<index, number: first))
            (start, first) = (index + 1, number)
        }
        self.lines = lines + [Line(range: start..<characters.count, number: first)]
    }

    /// The index of the line of a position.
    func index(of position: Int) -> Int {
        lines.dropFirst().partitioningIndex { $0.range.lowerBound > position } - 1
    }

    /// The line of a position.
    func line(of position: Int) -> Line { lines[index(of: position)] }

    /// The fold around a position.
    func fold(around position: Int) -> Range<Int>? {
        folds.first { $0.lowerBound < position && position < $0.upperBound }
    }

    /// The cursor positions on a line, from left to right.
    func places(on line: Line) -> [Int] {
        (line.range.lowerBound...line.range.upperBound).filter { fold(around: $0) == nil }
    }

    /// The number of leading spaces of a line.
    func indentation(of line: Line) -> Int { characters[line.range].prefix { $0 == " " }.count }
}

/// The brackets of a text that is JSON, maybe incomplete.
enum JSONBrackets {
    /// The ranges between brackets, in the order in which they open. Unclosed ones are left out.
    static func contents(of characters: [Character]) -> [Range<Int>] {
        var open: [Int] = []
        var pairs: [Range<Int>] = []
        var (isInString, isEscaped) = (false, false)
        for (index, character) in characters.enumerated() {
            if isInString {
                // An unclosed string ends with its line, as JSON strings have one line.
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
