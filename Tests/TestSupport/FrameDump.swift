public import TerminalUI

/// A frame as text, for snapshots and reviews.
///
/// The text contains, in this order: the rows, without trailing spaces; each run of cells with the same style, except
/// plain cells, as `row:first-last bold cyan on blue`; the tints; the cursor. Rows and columns count from 1, as in
/// editors.
public enum FrameDump {
    /// The frame's text, styles and cursor.
    public static func text(_ frame: Frame, cursor: Position? = nil) -> String {
        let rows = (0..<frame.size.rows).map { frame.text(ofRow: $0) }
        let runs = (0..<frame.size.rows).flatMap { styleRuns(frame, $0) }
        let cursorText = cursor.map { "cursor \($0.row + 1):\($0.column + 1)" } ?? "cursor hidden"
        let tints = frame.tints.map { tint in
            let region = tint.region
            return
                "tint \(region.row + 1):\(region.column + 1)-\(region.column + region.columns) \(words(for: tint.color))"
        }
        return (rows + ["---"] + runs + tints + [cursorText]).joined(separator: "\n") + "\n"
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
                runs.append("\(row + 1):\(columnRange) \(words(for: style))")
            }
            first = last + 1
        }
        return runs
    }

    /// A style in words: `bold cyan on blue`, `plain`.
    private static func words(for style: Style) -> String {
        var words: [String] = []
        if style.isBold { words.append("bold") }
        if style.isDim { words.append("dim") }
        if style.isUnderlined { words.append("underlined") }
        if style.isReversed { words.append("reversed") }
        if style.foreground != .standard { words.append("\(style.foreground)") }
        if style.background != .standard { words.append("on \(style.background)") }
        return words.isEmpty ? "plain" : words.joined(separator: " ")
    }

    /// A colour as text: `#32CD32`.
    private static func words(for color: RGB) -> String {
        "#"
            + [color.red, color.green, color.blue].map { component in
                (component < 16 ? "0" : "") + String(component, radix: 16, uppercase: true)
            }.joined()
    }
}
