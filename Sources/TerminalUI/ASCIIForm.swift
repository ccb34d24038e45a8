extension Character {
    /// The character in ASCII: a Latin letter without its marks, punctuation in its plain form, controls escaped, and
    /// one `?` for anything else.
    var asciiForm: String {
        let base = unicodeScalars[unicodeScalars.startIndex]
        // A carriage return and a line feed are one character.
        if base.isASCIIControl { return unicodeScalars.compactMap { $0.writtenOut(charset: .ascii) }.joined() }
        // What is joined or hidden after a letter changes its meaning.
        guard unicodeScalars.dropFirst().allSatisfy(\.isPlainMark) else { return "?" }
        return base.asciiForm ?? "?"
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIIControl: Bool { value < 0x20 || value == 0x7F }

    /// Whether the scalar only adds to the previous letter, digit or sign.
    fileprivate var isPlainMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: !isDeceptive || isEmojiModifier
        default: false
        }
    }

    fileprivate var asciiForm: String? {
        if isASCII { return String(self) }
        switch properties.generalCategory {
        case .spaceSeparator: return " "
        case .dashPunctuation: return "-"
        case .uppercaseLetter: return Self.asciiForms[self] ?? letters
        case .lowercaseLetter: return Self.asciiForms[self] ?? letters?.lowercased()
        default: return Self.asciiForms[self]
        }
    }

    /// The base letters of a Latin letter, such as `O` of `LATIN SMALL LETTER O WITH STROKE`.
    ///
    /// The standard library offers no decomposition, and it would not help with letters that have none, such as `ø` and
    /// `ł`. Names cover both, and Unicode never changes one.
    private var letters: String? {
        guard let words = properties.name?.split(separator: " "),
            words[0] == "LATIN" || words[0] == "FULLWIDTH" && words[1] == "LATIN",
            let word = words.prefix(while: { !Self.wordsBehindLetters.contains($0) }).last
        else { return nil }
        return word.utf8.count <= 2 ? String(word) : Self.namedLetters[word]
    }

    private static let wordsBehindLetters: Set<Substring> = ["WITH", "DIGRAPH", "BAR"]

    /// Letters with names of their own, most as in CLDR's transform `Latin-ASCII`, the others as they are typed in
    /// languages that use them.
    private static let namedLetters: [Substring: String] = [
        "ALPHA": "A", "ENG": "N", "ESH": "S", "ETH": "D", "EZH": "Z", "FFI": "FFI", "FFL": "FFL", "GAMMA": "G",
        "IOTA": "I",
        "KRA": "Q", "SCHWA": "E", "THORN": "TH", "UPSILON": "U",
    ]

    /// Characters without a base letter in their name, as in the same transform. German quotes are one character here,
    /// like all others.
    private static let asciiForms: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "SS", "ŉ": "'n", "ǅ": "Dz", "ǈ": "Lj", "ǋ": "Nj", "ǲ": "Dz", "ﬅ": "st", "ª": "a", "º": "o",
        "\u{212A}": "K", "\u{212B}": "A", "−": "-", "…": "...",
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "“": "\"", "”": "\"", "„": "\"", "‟": "\"", "″": "\"",
        "‹": "<", "›": ">", "«": "<<", "»": ">>",
    ]
}
