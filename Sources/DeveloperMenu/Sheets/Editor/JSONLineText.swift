import FlagModel
import TerminalUI

/// One line of JSON with bold keys, and a text such as `… 3 lines` in place of each fold.
struct JSONLineText {
    /// A character, or the text in place of a fold.
    private struct Segment {
        let text: String
        let columns: Int
        let style: Style
        /// The index of the character, or of the fold's first character.
        let position: Int
    }

    private let segments: [Segment]
    private let charset: Charset
    private let faint: Style

    init(lines: DocumentLines, line: DocumentLines.Line, state: MenuState) {
        charset = state.charset
        faint = state.theme.faint
        let keys = Self.keys(lines.characters, line.range)
        var segments: [Segment] = []
        var index = line.range.lowerBound
        var folds = lines.folds.drop { $0.upperBound <= line.range.lowerBound }
        while index < line.range.upperBound {
            if let fold = folds.first, fold.lowerBound == index, !fold.isEmpty {
                let count = lines.characters[fold].count(where: \.isNewline) - 1
                let text = " \(state.charset.ellipsis) \(count.counted("line")) "
                segments.append(
                    Segment(text: text, columns: text.count, style: state.theme.faint, position: index))
                index = fold.upperBound
                folds.removeFirst()
                continue
            }
            let text = String(lines.characters[index])
            let style = keys.contains { $0.contains(index) } ? state.theme.title : .plain
            let columns = DisplayText.width(text, charset: state.charset)
            segments.append(Segment(text: text, columns: columns, style: style, position: index))
            index += 1
        }
        self.segments = segments
    }

    /// The ranges of the keys on a line, including quotes. A key is a string before a colon.
    private static func keys(_ characters: [Character], _ range: Range<Int>) -> [Range<Int>] {
        var keys: [Range<Int>] = []
        var string: Range<Int>?
        var (start, isEscaped) = (Int?.none, false)
        for index in range {
            let character = characters[index]
            if let opening = start {
                if character == "\"", !isEscaped { (start, string) = (nil, opening..<index + 1) }
                isEscaped = character == "\\" && !isEscaped
            } else if character == "\"" {
                (start, isEscaped) = (index, false)
            } else if character == ":", let key = string {
                keys.append(key)
                string = nil
            } else if character != " " {
                string = nil
            }
        }
        return keys
    }

    /// The column of a position in the unscrolled line.
    func column(of position: Int) -> Int {
        segments.prefix { $0.position < position }.reduce(0) { $0 + $1.columns }
    }

    /// Draws the line from the column `left` on, with an ellipsis on each side where the line continues.
    func draw(from left: Int, row: Int, column: Int, columns: Int, on frame: inout Frame) {
        var next = 0
        for segment in segments {
            defer { next += segment.columns }
            let start = next - left
            guard start + segment.columns > 0, start < columns else { continue }
            frame.write(
                segment.text, at: Position(row: row, column: column + max(0, start)),
                limit: min(segment.columns, columns - max(0, start)), style: segment.style)
        }
        if left > 0, next > 0 { frame.write(charset.ellipsis, at: Position(row: row, column: column), style: faint) }
        if next - left > columns {
            frame.write(charset.ellipsis, at: Position(row: row, column: column + columns - 1), style: faint)
        }
    }
}
