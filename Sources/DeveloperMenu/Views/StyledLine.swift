import TerminalUI

/// A line of text in parts of different styles.
struct StyledLine: Equatable {
    struct Span: Equatable {
        var text: String
        let style: Style
    }

    var spans: [Span] = []

    init() {}

    init(_ text: String, _ style: Style = .plain) {
        spans = [Span(text: text, style: style)]
    }

    /// A text with the characters at some byte offsets in the style `match`, and all others in `style`.
    init(_ text: String, marking offsets: Set<Int>, style: Style, match: Style) {
        self.init()
        var offset = 0
        for character in text {
            let end = offset + character.utf8.count
            let style = (offset..<end).contains(where: offsets.contains) ? match : style
            if spans.last?.style == style {
                spans[spans.count - 1].text.append(character)
            } else {
                spans.append(Span(text: String(character), style: style))
            }
            offset = end
        }
    }

    /// The line with another text at its end.
    func adding(_ text: String, _ style: Style = .plain) -> StyledLine {
        self + StyledLine(text, style)
    }

    static func + (left: StyledLine, right: StyledLine) -> StyledLine {
        var line = left
        line.spans += right.spans
        return line
    }

    /// The width of the line in columns.
    func width(_ charset: Charset) -> Int {
        spans.reduce(0) { $0 + DisplayText.width($1.text, charset: charset) }
    }
}

extension Frame {
    /// Writes lines into a region, each clipped to its columns. Lines without a row in the region are left out.
    mutating func write(_ lines: some Sequence<StyledLine>, in region: Region) {
        for (row, line) in zip(region.rowRange, lines) {
            write(line, row: row, column: region.column, columns: region.columns)
        }
    }

    /// Writes a line, clipped to a number of columns; a clipped line ends in an ellipsis.
    mutating func write(_ line: StyledLine, row: Int, column: Int, columns: Int) {
        var start = column
        for (index, span) in line.spans.enumerated() {
            let room = column + columns - start
            guard room > 0 else { return }
            let isLast = line.spans[(index + 1)...].allSatisfy(\.text.isEmpty)
            let isFull = !isLast && !DisplayText.fits(span.text, columns: room - 1, charset: charset)
            // If there is no room for the following parts, the added spaces make this part end in an ellipsis.
            let text = isFull ? span.text + "  " : span.text
            start = write(clipping: text, row: row, column: start, columns: room, style: span.style)
        }
    }

    /// Writes text, and returns the column after the text. A text that does not fit ends in an ellipsis.
    @discardableResult
    mutating func write(clipping text: String, row: Int, column: Int, columns: Int, style: Style = .plain) -> Int {
        guard columns > 0 else { return column }
        let fits = DisplayText.fits(text, columns: columns, charset: charset)
        let shown = fits ? text : DisplayText.clipped(text, to: columns, charset: charset)
        return write(shown, at: Position(row: row, column: column), limit: columns, style: style)
    }

    /// Writes text so that it ends before a column.
    mutating func write(_ text: String, row: Int, endingBefore column: Int, style: Style = .plain) {
        let width = DisplayText.width(text, charset: charset)
        write(clipping: text, row: row, column: max(0, column - width), columns: width, style: style)
    }
}
