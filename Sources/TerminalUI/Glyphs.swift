/// The most combining marks one cell keeps: ncurses stores five scalars a cell (CCHARW_MAX).
private let markLimit = 4

extension DisplayText {
    /// Iterates over the cells of `text` on a terminal, and stops when `body` returns false.
    ///
    /// This is the only place that decides how data is shown; `safe`, the widths and `Frame.write` all go through it.
    ///
    /// - Parameter body: gets a character that is safe to show, and its columns, 1 or 2.
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
            var glyphs = GlyphRun()
            if !glyphs.forEachGlyph(of: character, body) { return }
        }
    }

    /// The columns of a character that is a single scalar and shown unchanged; `nil` for all others.
    private static func plainColumns(of character: Character, charset: Charset) -> Int? {
        let scalars = character.unicodeScalars
        guard let scalar = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex else {
            return nil
        }
        if (0x20..<0x7F).contains(scalar.value) { return 1 }
        guard charset == .unicode, !scalar.isDeceptive, scalar.regionalLetter == nil, scalar.columns > 0 else {
            return nil
        }
        return scalar.columns
    }
}

/// The cells of one grapheme cluster on a terminal with UTF-8.
private struct GlyphRun {
    /// The finished cells that were not passed on yet.
    private var glyphs: [(Character, Int)] = []
    private var hasDelivered = false
    private var base: Unicode.Scalar?
    private var marks: [Unicode.Scalar] = []

    private var isBegun: Bool { base != nil || hasDelivered || !glyphs.isEmpty }

    /// Passes on cell by cell, as a cluster may be as long as the text; `false` if `body` stops.
    mutating func forEachGlyph(of cluster: Character, _ body: (Character, Int) -> Bool) -> Bool {
        for scalar in cluster.unicodeScalars {
            // Joined emoji are shown side by side, as terminals disagree on the columns of the whole.
            if scalar.value == 0x200D, base?.isPictograph == true { flush() } else { append(scalar) }
            guard deliver(to: body) else { return false }
        }
        flush()
        return deliver(to: body)
    }

    private mutating func deliver(to body: (Character, Int) -> Bool) -> Bool {
        guard !glyphs.isEmpty else { return true }
        hasDelivered = true
        defer { glyphs.removeAll(keepingCapacity: true) }
        return glyphs.allSatisfy(body)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if let spelling = spelling(of: scalar) {
            flush()
            for letter in spelling { glyphs.append((letter, 1)) }
        } else if isBegun, scalar.isEmojiModifier {
            return
        } else if scalar.columns == 0 {
            if marks.count < markLimit { marks.append(scalar) }
        } else {
            flush()
            base = scalar
        }
    }

    /// The escaped form of a scalar that must not reach the terminal; `nil` for one that may.
    private func spelling(of scalar: Unicode.Scalar) -> String? {
        if let letter = scalar.regionalLetter { return String(letter) }
        if isBegun, scalar.isEmojiModifier { return nil }
        if scalar.value > 0x7F, base == nil, scalar.columns == 0 { return scalar.codePoint }
        return scalar.writtenOut(charset: .unicode)
    }

    private mutating func flush() {
        guard let base else { return }
        var view = String.UnicodeScalarView([base])
        view.append(contentsOf: marks)
        // Base and marks come from one cluster, so they form one; if a grapheme rule prevents that, marks are dropped.
        let text = String(view)
        glyphs.append((text.count == 1 ? Character(text) : Character(base), base.columns))
        self.base = nil
        marks = []
    }
}
