/// Makes text safe to show on a terminal.
///
/// All external text (keys, values, titles, descriptions, names of files and people, error texts) is shown through this
/// type, so that none of it can act as a control, reorder the text around it or hide.
public enum DisplayText {
    /// Returns the text in the form for a screen, with every character that is not plainly visible escaped.
    ///
    /// Control characters become `^X`, newline `⏎` and tab `⇥` (`\n` and `\t` in ASCII); C1, bidi controls, zero width,
    /// tags, separators and noncharacters become `<U+202E>`. Emoji are simplified to a form whose width terminals agree
    /// on, and a letter keeps at most four combining marks. In ASCII, Latin letters lose their marks (`ş` is `s`),
    /// quotes and dashes become ASCII quotes and `-`, and any other character becomes `?`. Safe text is returned
    /// unchanged.
    public static func safe(_ text: String, charset: Charset = .unicode) -> String {
        if isPlain(text) { return text }
        var shown = ""
        shown.reserveCapacity(text.utf8.count)
        forEachGlyph(in: text, charset: charset) { glyph, _ in
            shown.append(glyph)
            return true
        }
        return shown
    }

    /// Returns the text in the form for files, pipes and programs: control and hidden characters are escaped as in
    /// `safe`, but nothing is simplified or left out.
    ///
    /// Joiners and presentation selectors stay, because emoji and words of some scripts need them. In ASCII, every
    /// other scalar becomes an escape such as `\u{E9}`.
    public static func lossless(_ text: String, charset: Charset = .unicode) -> String {
        if isPlain(text) { return text }
        var shown = ""
        shown.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if let escape = charset == .unicode && scalar.isJoinerOrSelector ? nil : scalar.escape(charset: charset) {
                shown += escape
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// The columns of `text` when it is shown.
    ///
    /// - Parameter limit: a wider text is not read to its end; the result is then some number above `limit`.
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

    /// The columns of one character when it is shown; more than 2 if it is escaped.
    public static func width(of character: Character) -> Int { width(String(character)) }

    /// Text that starts more columns than this to the left of a frame is never visible.
    static let columnLimit = 1 << 31

    /// Whether the text is printable ASCII, which is shown unchanged, one column per byte.
    public static func isPlain(_ text: String) -> Bool {
        isPlain(text.utf8)
    }

    /// Whether bytes are printable ASCII.
    @inlinable
    public static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy { $0 &- 0x20 < 0x5F } }
}
