import FlagModel

/// A text in lines as the editor shows them: what is folded away stands on the line on which it begins.
struct DocumentLines {
    /// One line of the screen.
    struct Line: Equatable {
        /// Its characters, with those that are folded away, without the line break.
        let range: Range<Int>
        /// Its number in the whole text, from 1.
        let number: Int
    }

    let characters: [Character]
    /// The ranges that are folded away, in order, none within another.
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

    /// The index of the line that a place belongs to.
    func index(of position: Int) -> Int {
        lines.dropFirst().partitioningIndex { $0.range.lowerBound > position } - 1
    }

    /// The line that a place belongs to.
    func line(of position: Int) -> Line { lines[index(of: position)] }

    /// The fold that a place is inside of.
    func fold(around position: Int) -> Range<Int>? {
        folds.first { $0.lowerBound < position && position < $0.upperBound }
    }

    /// The places at which the cursor can stand on a line, from the left to the right.
    func places(on line: Line) -> [Int] {
        (line.range.lowerBound...line.range.upperBound).filter { fold(around: $0) == nil }
    }

    /// How many spaces a line begins with.
    func indentation(of line: Line) -> Int { characters[line.range].prefix { $0 == " " }.count }
}

/// The brackets of a text that is JSON or is about to become it.
enum JSONBrackets {
    /// What stands between each pair of brackets, in the order in which they open. What is not closed is left out.
    static func contents(of characters: [Character]) -> [Range<Int>] {
        var open: [Int] = []
        var pairs: [Range<Int>] = []
        var (isInString, isEscaped) = (false, false)
        for (index, character) in characters.enumerated() {
            if isInString {
                // A string that is not closed ends with its line, as JSON has no other.
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
