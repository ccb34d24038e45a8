/// The only way from data to the screen or to a line on a terminal.
///
/// All external text (keys, values, titles, descriptions, names of files and people, error texts) is shown through
/// here, so that none of it can act as a control, reorder its neighbours or hide.
public enum DisplayText {
    /// The text with everything that is not plainly visible escaped.
    ///
    /// Control characters become `^X`, newline `⏎` and tab `⇥` (`\n` and `\t` in ASCII); C1, bidi controls, zero width,
    /// tags, separators and noncharacters become `<U+202E>`. Emoji are simplified to a form whose width terminals agree
    /// on, and a letter keeps at most four combining marks. In ASCII Latin letters lose their marks (`ş` is `s`), quotes
    /// and dashes are plain ones, and any other character is `?`. Safe text stays as it is.
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

    /// The text for files, pipes and programs, without the limits of cells: controls and hidden characters are escaped
    /// here too, but nothing is simplified or left out, so that nothing is lost.
    ///
    /// Joiners and presentation selectors stay: emoji, and words of some scripts, are spelled with them. In ASCII every
    /// other scalar becomes `\u{E9}`.
    public static func whole(_ text: String, charset: Charset = .unicode) -> String {
        if isPlain(text) { return text }
        var shown = ""
        shown.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if let spelling = charset == .unicode && scalar.isSpelling ? nil : scalar.writtenOut(charset: charset) {
                shown += spelling
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// The columns of `text` when it is shown.
    ///
    /// - Parameter limit: above this the exact number does not matter; a wider text is not read further.
    public static func width(_ text: String, upTo limit: Int = .max, charset: Charset = .unicode) -> Int {
        if isPlain(text) { return text.utf8.count }
        var columns = 0
        forEachGlyph(in: text, charset: charset) { _, width in
            columns += width
            return columns <= limit
        }
        return columns
    }

    /// Whether the shown `text` fits into so many columns.
    public static func fits(_ text: String, columns: Int, charset: Charset = .unicode) -> Bool {
        width(text, upTo: columns, charset: charset) <= columns
    }

    /// The columns of one character when it is shown; more than 2 if it is escaped.
    public static func width(of character: Character) -> Int { width(String(character)) }

    /// Text that would start further to the left than this is outside every frame.
    static let columnLimit = 1 << 31

    /// Whether the text is printable ASCII, which is shown unchanged, one column per byte.
    public static func isPlain(_ text: String) -> Bool {
        isPlain(text.utf8)
    }

    /// Whether bytes are printable ASCII.
    @inlinable
    public static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy { $0 &- 0x20 < 0x5F } }
}
