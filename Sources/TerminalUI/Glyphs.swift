/// The maximum number of combining marks per cell: ncurses stores five scalars per cell (CCHARW_MAX).
private let markLimit = 4

extension DisplayText {
    /// Calls `body` for each glyph of `text` as a terminal shows it, until `body` returns `false`.
    ///
    /// All decisions about how text is shown are made here: `safe`, `width` and `Frame.write` use this function.
    ///
    /// - Parameter body: receives a character that is safe to show and its number of columns, 1 or 2.
    static func forEachGlyph(in text: String, charset: Charset, _ body: (Character, Int) -> Bool) {
        if isPlain(text) {
            for byte in text.utf8 where !body(Character(Unicode.Scalar(byte)), 1) { return }
            return
        }
        for character in text {
            if let columns = plainColumns(of: character, charset: charset) {
                if !body(character, columns) { return }
                continue
            }
            if charset == .ascii {
                for letter in character.asciiForm where !body(letter, 1) { return }
                continue
            }
            if !forEachGlyph(of: character, body) { return }
        }
    }

    /// The number of columns of a character that is a single scalar and shown unchanged; `nil` for other characters.
    private static func plainColumns(of character: Character, charset: Charset) -> Int? {
        let scalars = character.unicodeScalars
        guard let scalar = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex else {
            return nil
        }
        if (0x20..<0x7F).contains(scalar.value) { return 1 }
        guard charset != .ascii, !scalar.isDeceptive, scalar.regionalLetter == nil, scalar.columns > 0 else {
            return nil
        }
        return scalar.columns
    }

    /// Passes the glyphs of one grapheme cluster on a terminal with UTF-8 on one by one, because a cluster may be as long
    /// as the text. Returns `false` if `body` returns `false`.
    private static func forEachGlyph(of cluster: Character, _ body: (Character, Int) -> Bool) -> Bool {
        if let flag = cluster.subregionFlag { return body(Character(flag), flag.columns) }
        var base: Unicode.Scalar?
        var marks: [Unicode.Scalar] = []
        /// Whether the cluster has at least one glyph so far.
        var hasGlyph = false
        func finishGlyph() -> Bool {
            guard let finished = base else { return true }
            // Base and marks usually form one character; if a grapheme rule prevents that, the marks are dropped.
            let text = String(String.UnicodeScalarView([finished] + marks))
            (base, marks) = (nil, [])
            return body(text.count == 1 ? Character(text) : Character(finished), finished.columns)
        }
        for scalar in cluster.unicodeScalars {
            if scalar.value == 0x200D, base?.isPictograph == true {
                // Joined emoji are shown side by side, because terminals do not agree on the width of the joined form.
                guard finishGlyph() else { return false }
            } else if hasGlyph, scalar.isEmojiModifier {
                continue
            } else if let escape = escape(of: scalar, isFirst: base == nil) {
                guard finishGlyph(), escape.allSatisfy({ body($0, 1) }) else { return false }
                hasGlyph = true
            } else if scalar.columns == 0 {
                if marks.count < markLimit { marks.append(scalar) }
            } else {
                guard finishGlyph() else { return false }
                (base, hasGlyph) = (scalar, true)
            }
        }
        return finishGlyph()
    }

    /// The escaped form of a scalar that must not reach the terminal; `nil` for other scalars.
    ///
    /// - Parameter isFirst: whether the scalar is not on a base.
    private static func escape(of scalar: Unicode.Scalar, isFirst: Bool) -> String? {
        if let letter = scalar.regionalLetter { return String(letter) }
        if scalar.value > 0x7F, isFirst, scalar.columns == 0 { return scalar.codePoint }
        return scalar.escape(charset: .unicode)
    }
}
