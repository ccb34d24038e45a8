/// A frame as text, for snapshots and reviews.
///
/// The text contains, in this order: the rows, without trailing spaces; each run of cells with the same style, except
/// plain cells, as `row:first-last bold cyan on blue`; the tints; the cursor. Rows and columns count from 1, as in
/// editors.
public enum FrameDump {
    /// The frame's text, styles and cursor.
    public static func text(_ frame: Frame, cursor: Position? = nil) -> String {
        let rows = (0..<frame.size.rows).map { rowText(frame, $0) }
        let runs = (0..<frame.size.rows).flatMap { styleRuns(frame, $0) }
        let cursorText = cursor.map { "cursor \($0.row + 1):\($0.column + 1)" } ?? "cursor hidden"
        let tints = frame.tints.map { tint in
            let region = tint.region
            return "tint \(region.row + 1):\(region.column + 1)-\(region.column + region.columns) \(tint.color.text)"
        }
        return (rows + ["---"] + runs + tints + [cursorText]).joined(separator: "\n") + "\n"
    }

    /// One row as text, without trailing spaces.
    ///
    /// - Parameter row: counted from 0.
    public static func rowText(_ frame: Frame, _ row: Int) -> String {
        var text = ""
        var usedCount = 0
        for column in 0..<frame.size.columns where !frame[row, column].isContinuation {
            text.append(frame[row, column].character)
            if frame[row, column].character != " " { usedCount = text.unicodeScalars.count }
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(usedCount)))
    }

    private static func styleRuns(_ frame: Frame, _ row: Int) -> [String] {
        var runs: [String] = []
        var first = 0
        while first < frame.size.columns {
            let style = frame[row, first].style
            var last = first
            while last + 1 < frame.size.columns, frame[row, last + 1].style == style { last += 1 }
            if style != .plain {
                let columnRange = first == last ? "\(first + 1)" : "\(first + 1)-\(last + 1)"
                runs.append("\(row + 1):\(columnRange) \(style.description)")
            }
            first = last + 1
        }
        return runs
    }
}

extension Style: CustomStringConvertible {
    /// The style in words: `bold cyan on blue`, `plain`.
    public var description: String {
        var words: [String] = []
        if isBold { words.append("bold") }
        if isDim { words.append("dim") }
        if isUnderlined { words.append("underlined") }
        if isReversed { words.append("reversed") }
        if foreground != .standard { words.append(foreground.name) }
        if background != .standard { words.append("on \(background.name)") }
        return words.isEmpty ? "plain" : words.joined(separator: " ")
    }
}
