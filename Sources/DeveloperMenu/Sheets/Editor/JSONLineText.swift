import FlagModel
import TerminalUI

/// One line of JSON: its keys bold, a fold as one word.
struct JSONLineText {
    private struct Part {
        let text: String
        let columns: Int
        let style: Style
        let place: Int
    }

    private let parts: [Part]
    private let charset: Charset
    private let faint: Style

    init(lines: DocumentLines, line: DocumentLines.Line, state: MenuState) {
        charset = state.charset
        faint = state.theme.faint
        let keys = Self.keys(lines.characters, line.range)
        var parts: [Part] = []
        var index = line.range.lowerBound
        var folds = lines.folds.drop { $0.upperBound <= line.range.lowerBound }
        while index < line.range.upperBound {
            if let fold = folds.first, fold.lowerBound == index, !fold.isEmpty {
                let count = lines.characters[fold].count(where: \.isNewline) - 1
                let text = " \(state.charset.ellipsis) \(count.counted("line")) "
                parts.append(Part(text: text, columns: text.count, style: state.theme.faint, place: index))
                index = fold.upperBound
                folds.removeFirst()
                continue
            }
            let text = String(lines.characters[index])
            let style = keys.contains { $0.contains(index) } ? state.theme.title : .plain
            let columns = DisplayText.width(text, charset: state.charset)
            parts.append(Part(text: text, columns: columns, style: style, place: index))
            index += 1
        }
        self.parts = parts
    }

    /// The strings of a line that are keys: those before a colon.
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

    /// The column of a position.
    func column(of place: Int) -> Int {
        parts.prefix { $0.place < place }.reduce(0) { $0 + $1.columns }
    }

    /// Draws a range of columns of the line, with an ellipsis if it continues.
    func draw(from left: Int, row: Int, column: Int, columns: Int, on frame: inout Frame) {
        var next = 0
        for part in parts {
            defer { next += part.columns }
            let start = next - left
            guard start + part.columns > 0, start < columns else { continue }
            frame.write(
                part.text, at: Position(row: row, column: column + max(0, start)),
                limit: min(part.columns, columns - max(0, start)), style: part.style)
        }
        if left > 0, next > 0 { frame.write(charset.ellipsis, at: Position(row: row, column: column), style: faint) }
        if next - left > columns {
            frame.write(charset.ellipsis, at: Position(row: row, column: column + columns - 1), style: faint)
        }
    }
}
