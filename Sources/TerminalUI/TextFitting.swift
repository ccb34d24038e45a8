extension DisplayText {
    /// Returns safe text of at most `columns` columns. Longer text is truncated and ends with an ellipsis (`…`, `~` in
    /// ASCII).
    public static func clipped(_ text: String, to columns: Int, charset: Charset = .unicode) -> String {
        if text.utf8.count <= columns, isPlain(text) { return text }
        let glyphs = glyphs(of: text, upTo: columns, charset: charset)
        if glyphs.fit { return String(glyphs.list.map(\.0)) }
        return columns < 1 ? "" : prefix(of: glyphs.list, columns: columns - 1) + charset.ellipsis
    }

    /// Returns safe text of at most `columns` columns. Longer text loses its middle, because keys differ at their start
    /// and end.
    public static func middleClipped(_ text: String, to columns: Int, charset: Charset = .unicode) -> String {
        let glyphs = glyphs(of: text, upTo: columns, charset: charset)
        if glyphs.fit { return String(glyphs.list.map(\.0)) }
        guard columns > 0 else { return "" }
        let endColumns = (columns - 1) / 2
        let end = Self.glyphs(of: String(text.unicodeScalars.suffix(scalarsPerColumn * columns)), charset: charset)
        let shownEnd = prefix(of: end.list.reversed(), columns: endColumns, isReversed: true)
        return prefix(of: glyphs.list, columns: columns - 1 - endColumns) + charset.ellipsis + shownEnd
    }

    /// An upper bound for the scalars in one column in any script. It limits how much of the end of a long text is
    /// read.
    private static let scalarsPerColumn = 32

    /// Returns safe text of exactly `columns` columns: padded with spaces, or clipped.
    public static func padded(_ text: String, to columns: Int, charset: Charset = .unicode) -> String {
        let shown = clipped(text, to: columns, charset: charset)
        return shown + String(repeating: " ", count: max(0, columns - width(shown, charset: charset)))
    }

    /// Returns the text in lines of at most `columns` columns, broken at spaces and newlines. Words that are longer
    /// than a line are broken too.
    ///
    /// Each line is safe text. An empty text becomes one empty line; if `columns` is below 1, there are no lines.
    public static func wrapped(_ text: String, columns: Int, charset: Charset = .unicode) -> [String] {
        guard columns > 0 else { return [] }
        var lines: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            var (shown, usedColumns) = ("", 0)
            func breakLine() {
                lines.append(shown)
                (shown, usedColumns) = ("", 0)
            }
            for word in line.split(separator: " ", omittingEmptySubsequences: true) {
                let glyphs = glyphs(of: String(word), charset: charset).list
                if usedColumns > 0, usedColumns + glyphs.reduce(1, { $0 + $1.1 }) > columns { breakLine() }
                for (glyph, width) in (usedColumns > 0 ? [(" ", 1)] : []) + glyphs {
                    if usedColumns > 0, usedColumns + width > columns { breakLine() }
                    // If lines have only one column, a wide character becomes a space.
                    shown.append(width > columns ? " " : glyph)
                    usedColumns += min(width, columns)
                }
            }
            breakLine()
        }
        return lines
    }

    /// The glyphs up to and including the first glyph that does not fit, and whether all glyphs fit.
    private static func glyphs(
        of text: String, upTo columns: Int = .max, charset: Charset
    ) -> (list: [(Character, Int)], fit: Bool) {
        var list: [(Character, Int)] = []
        var usedColumns = 0
        forEachGlyph(in: text, charset: charset) { glyph, width in
            list.append((glyph, width))
            usedColumns += width
            return usedColumns <= columns
        }
        return (list, usedColumns <= columns)
    }

    /// The first glyphs that fit into `columns`, as text. If `isReversed` is `true`, they are returned in reverse
    /// order.
    private static func prefix(of glyphs: [(Character, Int)], columns: Int, isReversed: Bool = false) -> String {
        var fitting: [Character] = []
        var usedColumns = 0
        for (glyph, width) in glyphs {
            usedColumns += width
            if usedColumns > columns { break }
            fitting.append(glyph)
        }
        return isReversed ? String(fitting.reversed()) : String(fitting)
    }
}
