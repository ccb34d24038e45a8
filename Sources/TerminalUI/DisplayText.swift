/// Makes text safe to show on a terminal.
///
/// All external text (keys, values, titles, descriptions, names of files and people, error texts) is shown through this
/// type, so that it cannot act as a control sequence, reorder the text around it, or be invisible.
public enum DisplayText {
    /// Returns the text in the form for a screen. Every character that is not plainly visible is escaped.
    ///
    /// Control characters become `^X`, newline `⏎` and tab `⇥` (`\n` and `\t` in ASCII); C1, bidi controls, zero width,
    /// tags, separators and noncharacters become `<U+202E>`. Emoji are simplified to a form that has the same width on
    /// all terminals, and a letter keeps at most four combining marks. In ASCII, Latin letters lose their marks (`ş` is
    /// `s`), quotes and dashes become ASCII quotes and `-`, and any other character becomes `?`. Safe text is returned
    /// unchanged.
    public static func safe(_ text: String, charset: Charset = .unicode) -> String {
        if isPlain(text) { return text }
        var shown = ""
        forEachGlyph(in: text, charset: charset) { glyph, _ in
            shown.append(glyph)
            return true
        }
        return shown
    }

    /// Returns the text in the form for files, pipes and programs. Control and hidden characters are escaped as in
    /// `safe`, but nothing is simplified or omitted.
    ///
    /// Joiners, presentation selectors and the tags of a flag such as England's stay, because emoji and words of some
    /// scripts need them. In ASCII, every other scalar becomes an escape such as `\u{E9}`.
    public static func lossless(_ text: String, charset: Charset = .unicode) -> String {
        if isPlain(text) { return text }
        var shown = ""
        for character in text {
            let isFlag = character.subregionFlag != nil
            for scalar in character.unicodeScalars {
                let isKept = charset != .ascii && (isFlag || scalar.isJoinerOrSelector)
                if let escape = isKept ? nil : scalar.escape(charset: charset) {
                    shown += escape
                } else {
                    shown.unicodeScalars.append(scalar)
                }
            }
        }
        return shown
    }

    /// The number of columns of `text` when it is shown.
    ///
    /// - Parameter limit: the width at which reading the text may stop. For a wider text, the result is any number
    ///   above `limit`.
    public static func width(_ text: String, upTo limit: Int = .max, charset: Charset = .unicode) -> Int {
        if isPlain(text) { return text.utf8.count }
        var columns = 0
        forEachGlyph(in: text, charset: charset) { _, width in
            columns += width
            return columns <= limit
        }
        return columns
    }

    /// Whether `text` takes at most `columns` when it is shown.
    public static func fits(_ text: String, columns: Int, charset: Charset = .unicode) -> Bool {
        width(text, upTo: columns, charset: charset) <= columns
    }

    /// The maximum number of columns that a text may start to the left of a frame. Text further left is never visible.
    static let columnLimit = 1 << 31

    /// Whether the text is printable ASCII. Such text is shown unchanged, with one column per byte.
    static func isPlain(_ text: String) -> Bool {
        // The bytes of a buffer are checked faster than those of a string.
        text.utf8.withContiguousStorageIfAvailable { bytes in bytes.allSatisfy { (0x20..<0x7F).contains($0) } }
            ?? text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }
}
