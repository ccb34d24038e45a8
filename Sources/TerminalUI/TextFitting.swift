extension DisplayText {
    /// Safe text of at most `columns`; if something is cut off, it ends in an ellipsis (`…`, `~` in ASCII).
    public static func clipped(_ text: String, to columns: Int, charset: Charset = .unicode) -> String {
        guard let glyphs = glyphsToCut(text, columns: columns, charset: charset) else {
            return safe(text, charset: charset)
        }
        return columns < 1 ? "" : prefix(of: glyphs, columns: columns - 1) + charset.ellipsis
    }

    /// Safe text of at most `columns`; if something is cut off, it is the middle, as the ends distinguish keys.
    public static func middleClipped(_ text: String, to columns: Int, charset: Charset = .unicode) -> String {
        guard let glyphs = glyphsToCut(text, columns: columns, charset: charset) else {
            return safe(text, charset: charset)
        }
        guard columns > 0 else { return "" }
        let tail = (columns - 1) / 2
        let last = allGlyphs(String(text.unicodeScalars.suffix(scalarsPerColumn * columns)), charset: charset)
        let end = prefix(of: last.reversed(), columns: tail, isReversed: true)
        return prefix(of: glyphs, columns: columns - 1 - tail) + charset.ellipsis + end
    }

    /// More scalars than a column has in any script, so that only the end of a long text is read.
    private static let scalarsPerColumn = 32

    /// Safe text of exactly `columns`: padded with spaces, or clipped.
    public static func padded(_ text: String, to columns: Int, charset: Charset = .unicode) -> String {
        let shown = clipped(text, to: columns, charset: charset)
        return shown + String(repeating: " ", count: max(0, columns - width(shown, charset: charset)))
    }

    /// The text in lines of at most `columns`, broken at spaces and at its own newlines; longer words are cut.
    ///
    /// Each line is safe text. An empty text is one empty line; below one column there is none.
    public static func wrapped(_ text: String, columns: Int, charset: Charset = .unicode) -> [String] {
        guard columns > 0 else { return [] }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line in
            var wrapping = LineWrapping(columns: columns)
            for word in line.split(separator: " ", omittingEmptySubsequences: true) {
                wrapping.append(word: allGlyphs(String(word), charset: charset))
            }
            return wrapping.finished
        }
    }

    /// The glyphs up to the first that does not fit, or `nil` if all fit.
    private static func glyphsToCut(_ text: String, columns: Int, charset: Charset) -> [(Character, Int)]? {
        if text.utf8.count <= columns, isPlain(text) { return nil }
        var glyphs: [(Character, Int)] = []
        var used = 0
        forEachGlyph(in: text, charset: charset) { glyph, width in
            glyphs.append((glyph, width))
            used += width
            return used <= columns
        }
        return used > columns ? glyphs : nil
    }

    private static func allGlyphs(_ text: String, charset: Charset) -> [(Character, Int)] {
        var glyphs: [(Character, Int)] = []
        forEachGlyph(in: text, charset: charset) { glyph, width in
            glyphs.append((glyph, width))
            return true
        }
        return glyphs
    }

    private static func prefix(of glyphs: [(Character, Int)], columns: Int, isReversed: Bool = false) -> String {
        var taken: [Character] = []
        var used = 0
        for (glyph, width) in glyphs {
            used += width
            if used > columns { break }
            taken.append(glyph)
        }
        return isReversed ? String(taken.reversed()) : String(taken)
    }
}

/// Lines filled word by word.
private struct LineWrapping {
    let columns: Int
    private var lines: [String] = []
    private var line = ""
    private var used = 0

    init(columns: Int) {
        self.columns = columns
    }

    var finished: [String] { lines + [line] }

    mutating func append(word: [(Character, Int)]) {
        let width = word.reduce(0) { $0 + $1.1 }
        if used > 0, used + 1 + width > columns { breakLine() }
        if used > 0 { append(" ", 1) }
        for (glyph, glyphWidth) in word {
            if used > 0, used + glyphWidth > columns { breakLine() }
            append(glyph, glyphWidth)
        }
    }

    private mutating func append(_ glyph: Character, _ width: Int) {
        // A wide character does not fit in a single column.
        line.append(width > columns ? " " : glyph)
        used += min(width, columns)
    }

    private mutating func breakLine() {
        lines.append(line)
        line = ""
        used = 0
    }
}
