extension Character {
    /// The character in ASCII: Latin letters lose their marks, punctuation gets its plain form, controls are escaped,
    /// and any other character becomes one `?`.
    var asciiForm: String {
        let base = unicodeScalars[unicodeScalars.startIndex]
        // A carriage return and a line feed are one character.
        if base.isASCIIControl { return unicodeScalars.compactMap { $0.escape(charset: .ascii) }.joined() }
        // Only marks can be omitted. Any other additional scalar changes the meaning of the character.
        guard unicodeScalars.dropFirst().allSatisfy(\.isPlainMark) else { return "?" }
        return base.asciiForm ?? "?"
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIIControl: Bool { value < 0x20 || value == 0x7F }

    /// Whether the scalar is a mark that can be omitted after a letter, digit or sign.
    fileprivate var isPlainMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: !isDeceptive || isEmojiModifier
        default: false
        }
    }

    /// The scalar in ASCII; `nil` if it has no ASCII form.
    fileprivate var asciiForm: String? {
        if isASCII { return String(self) }
        switch properties.generalCategory {
        case .spaceSeparator: return " "
        case .dashPunctuation: return "-"
        case .uppercaseLetter: return Self.asciiForms[self] ?? baseLetters
        case .lowercaseLetter: return Self.asciiForms[self] ?? baseLetters?.lowercased()
        default: return Self.asciiForms[self]
        }
    }

    /// The base letters of a Latin letter, such as `O` for `LATIN SMALL LETTER O WITH STROKE`.
    ///
    /// They are read from the scalar's name, which Unicode never changes. The standard library offers no decomposition,
    /// and letters such as `ø` and `ł` do not have a decomposition.
    private var baseLetters: String? {
        guard let words = properties.name?.split(separator: " "),
            words[0] == "LATIN" || words[0] == "FULLWIDTH" && words[1] == "LATIN",
            let word = words.prefix(while: { !Self.wordsAfterLetters.contains($0) }).last
        else { return nil }
        return word.utf8.count <= 2 ? String(word) : Self.namedLetters[word]
    }

    private static let wordsAfterLetters: Set<Substring> = ["WITH", "DIGRAPH", "BAR"]

    /// The ASCII forms of letters whose names contain a word instead of a base letter. Most forms are those of CLDR's
    /// transform `Latin-ASCII`; the others are usual in languages with these letters.
    private static let namedLetters: [Substring: String] = [
        "ALPHA": "A", "ENG": "N", "ESH": "S", "ETH": "D", "EZH": "Z", "FFI": "FFI", "FFL": "FFL", "GAMMA": "G",
        "IOTA": "I",
        "KRA": "Q", "SCHWA": "E", "THORN": "TH", "UPSILON": "U",
    ]

    /// The ASCII forms of characters whose names contain no base letter. The forms are those of CLDR's transform
    /// `Latin-ASCII`, except that a German quote becomes one character, like other quotes.
    private static let asciiForms: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "SS", "ŉ": "'n", "ǅ": "Dz", "ǈ": "Lj", "ǋ": "Nj", "ǲ": "Dz", "ﬅ": "st", "ª": "a", "º": "o",
        "\u{212A}": "K", "\u{212B}": "A", "−": "-", "…": "...",
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "“": "\"", "”": "\"", "„": "\"", "‟": "\"", "″": "\"",
        "‹": "<", "›": ">", "«": "<<", "»": ">>",
    ]
}
