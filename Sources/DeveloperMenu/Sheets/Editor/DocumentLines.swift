import FlagModel
import TerminalUI

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
        (self.characters, self.folds) = (characters, folds)
        var lines: [Line] = []
        var (start, startNumber, number) = (0, 1, 1)
        var remainingFolds = folds[...]
        for (index, character) in characters.enumerated() where character.isNewline {
            number += 1
            remainingFolds = remainingFolds.drop { $0.upperBound <= index }
            if remainingFolds.first?.contains(index) == true { continue }
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
}

/// Finds the strings and the brackets in JSON, which may be incomplete.
enum JSONOutline {
    /// The ranges of strings, including their quotes. An unclosed string ends at the end of its line, as JSON strings
    /// cannot contain line breaks.
    static func strings(in text: ArraySlice<Character>) -> [Range<Int>] {
        var strings: [Range<Int>] = []
        var rest = text
        while let start = rest.firstIndex(of: "\"") {
            var (end, isEscaped) = (start + 1, false)
            while end < text.endIndex, !text[end].isNewline, text[end] != "\"" || isEscaped {
                isEscaped = text[end] == "\\" && !isEscaped
                end += 1
            }
            end = min(end + 1, text.endIndex)
            strings.append(start..<end)
            rest = text[end...]
        }
        return strings
    }

    /// The ranges between opening and closing brackets, in the order of the opening brackets. Unclosed brackets are
    /// left out.
    static func brackets(in characters: [Character]) -> [Range<Int>] {
        var outside = characters
        for index in strings(in: characters[...]).joined() { outside[index] = " " }
        var (open, pairs): ([Int], [Range<Int>]) = ([], [])
        for (index, character) in outside.enumerated() {
            if character == "{" || character == "[" { open.append(index) }
            if character == "}" || character == "]", let start = open.popLast() { pairs.append(start + 1..<index) }
        }
        return pairs.sorted { $0.lowerBound < $1.lowerBound }
    }
}

/// One line of JSON with bold keys, and a text such as `… 3 lines` in place of each fold.
struct JSONLineText {
    /// A character of the line, or of the text in place of a fold; and the index of the character, or of the fold's
    /// first one.
    private typealias Segment = (text: String, columns: Int, style: Style, position: Int)

    private let segments: [Segment]

    init(lines: DocumentLines, line: DocumentLines.Line, state: MenuState) {
        let text = lines.characters[line.range]
        // A key is a string before a colon.
        let keys = JSONOutline.strings(in: text).filter { text[$0.upperBound...].first { $0 != " " } == ":" }
        let folds = lines.folds.filter { $0.overlaps(line.range) }
        segments = line.range.flatMap { index -> [Segment] in
            guard let fold = folds.first(where: { $0.contains(index) }) else {
                let text = String(lines.characters[index])
                let style = keys.contains { $0.contains(index) } ? state.theme.title : .plain
                return [(text, DisplayText.width(text, charset: state.charset), style, index)]
            }
            guard index == fold.lowerBound else { return [] }
            let count = lines.characters[fold].count(where: \.isNewline) - 1
            let text = " \(state.charset.ellipsis) \(count.counted("line")) "
            return text.map { (String($0), 1, state.theme.faint, index) }
        }
    }

    /// The column of a position in the unscrolled line.
    func column(of position: Int) -> Int {
        segments.prefix { $0.position < position }.reduce(0) { $0 + $1.columns }
    }

    /// The part of the line in some columns, with an ellipsis on each side where the line continues.
    func part(_ columns: Range<Int>, _ state: MenuState) -> StyledLine {
        let width = segments.reduce(0) { $0 + $1.columns }
        let hasMore = (before: columns.lowerBound > 0 && width > 0, after: width > columns.upperBound)
        let end = columns.upperBound - (hasMore.after ? 1 : 0)
        var line = StyledLine(hasMore.before ? state.charset.ellipsis : "", state.theme.faint)
        var (next, used) = (0, columns.lowerBound + (hasMore.before ? 1 : 0))
        for segment in segments {
            defer { next += segment.columns }
            guard next >= used, next + segment.columns <= end else { continue }
            // A wide character that is partly out of view leaves its column empty.
            if next > used { line = line.adding(String(repeating: " ", count: next - used)) }
            line.spans.append(StyledLine.Span(text: segment.text, style: segment.style))
            used = next + segment.columns
        }
        guard hasMore.after else { return line }
        return line.adding(String(repeating: " ", count: max(0, end - used)))
            .adding(state.charset.ellipsis, state.theme.faint)
    }
}
