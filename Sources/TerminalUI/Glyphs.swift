/// The maximum number of combining marks per cell: ncurses stores five scalars per cell (CCHARW_MAX).
private let markLimit = 4

extension DisplayText {
    /// Calls `body` for each glyph of `text` as a terminal shows it, until `body` returns `false`.
    ///
    /// All decisions about how text is shown are made here: `safe`, `width` and `Frame.write` use this function.
    ///
    /// - Parameter body: receives a character that is safe to show and its number of columns, 1 or 2.
    static func forEachGlyph(in text: String, charset: Charset, _ body: (Character, Int) -> Bool) {
        for character in text {
            if let columns = plainColumns(of: character, charset: charset) {
                if !body(character, columns) { return }
                continue
            }
            if charset == .ascii {
                for letter in character.asciiForm where !body(letter, 1) { return }
                continue
            }
            var cluster = ClusterGlyphs()
            if !cluster.forEachGlyph(of: character, body) { return }
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
}

/// The glyphs of one grapheme cluster on a terminal with UTF-8.
private struct ClusterGlyphs {
    /// The finished glyphs that have not been passed on yet.
    private var glyphs: [(Character, Int)] = []
    private var hasDelivered = false
    private var base: Unicode.Scalar?
    private var marks: [Unicode.Scalar] = []

    /// Whether the cluster has at least one glyph so far.
    private var hasGlyph: Bool { base != nil || hasDelivered || !glyphs.isEmpty }

    /// Passes the glyphs on one by one, because a cluster may be as long as the text. Returns `false` if `body` returns
    /// `false`.
    mutating func forEachGlyph(of cluster: Character, _ body: (Character, Int) -> Bool) -> Bool {
        if let flag = cluster.subregionFlag { return body(Character(flag), flag.columns) }
        for scalar in cluster.unicodeScalars {
            // Joined emoji are shown side by side, because terminals do not agree on the width of the joined form.
            if scalar.value == 0x200D, base?.isPictograph == true { finishGlyph() } else { append(scalar) }
            guard deliver(to: body) else { return false }
        }
        finishGlyph()
        return deliver(to: body)
    }

    /// Passes the finished glyphs to `body`. Returns `false` if `body` returns `false`.
    private mutating func deliver(to body: (Character, Int) -> Bool) -> Bool {
        guard !glyphs.isEmpty else { return true }
        hasDelivered = true
        defer { glyphs.removeAll(keepingCapacity: true) }
        return glyphs.allSatisfy(body)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if let escape = escape(of: scalar) {
            finishGlyph()
            for letter in escape { glyphs.append((letter, 1)) }
        } else if hasGlyph, scalar.isEmojiModifier {
            return
        } else if scalar.columns == 0 {
            if marks.count < markLimit { marks.append(scalar) }
        } else {
            finishGlyph()
            base = scalar
        }
    }

    /// The escaped form of a scalar that must not reach the terminal; `nil` for other scalars.
    private func escape(of scalar: Unicode.Scalar) -> String? {
        if let letter = scalar.regionalLetter { return String(letter) }
        if hasGlyph, scalar.isEmojiModifier { return nil }
        if scalar.value > 0x7F, base == nil, scalar.columns == 0 { return scalar.codePoint }
        return scalar.escape(charset: .unicode)
    }

    private mutating func finishGlyph() {
        guard let base else { return }
        var view = String.UnicodeScalarView([base])
        view.append(contentsOf: marks)
        // Base and marks usually form one character; if a grapheme rule prevents that, the marks are dropped.
        let text = String(view)
        glyphs.append((text.count == 1 ? Character(text) : Character(base), base.columns))
        self.base = nil
        marks = []
    }
}
