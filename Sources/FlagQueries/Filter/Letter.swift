/// A letter of a searched text, without its case and accent, with the bonus of its position.
struct Letter: Sendable, Equatable {
    /// The folded scalar, and the ``LetterBonus`` in the top byte.
    let bits: UInt32

    /// The bits of the folded scalar.
    static let scalarBits: UInt32 = 0x1F_FFFF
    /// The bit of a capital, and those of the scalar.
    static let casedBits = scalarBits | capitalBit
    private static let capitalBit = UInt32(LetterBonus.capitalBit) << 24

    fileprivate init(_ scalar: UInt32, bonus: UInt8) { bits = scalar | UInt32(bonus) << 24 }

    var scalar: UInt32 { bits & Self.scalarBits }
    /// A bit for the letter in sets of letters, by which texts without a letter of a word are passed over. Some letters
    /// share a bit.
    var setBit: UInt64 { 1 << UInt64(scalar & 31 | (scalar < 0x40 ? 32 : 0)) }
    var isCapital: Bool { bits & Self.capitalBit != 0 }
    var bonus: Int { Int(bits >> 24 & UInt32(LetterBonus.bonusBits)) }
}

extension [Letter] {
    /// The letters of a text.
    init(of text: String) {
        self = []
        append(lettersOf: text)
    }

    mutating func append(lettersOf text: String) {
        var previous = LetterBonus.Kind.none
        for scalar in text.unicodeScalars {
            guard let folded = LetterFolding.fold(scalar) else { continue }
            let kind = LetterBonus.Kind(scalar, foldedTo: folded)
            append(Letter(folded, bonus: LetterBonus.of(kind, after: previous)))
            previous = kind
        }
    }

    /// The byte offset of each letter in a text.
    static func offsets(in text: String) -> [Int] {
        var offset = 0
        return text.unicodeScalars.compactMap { scalar in
            defer { offset += UTF8.width(scalar) }
            return LetterFolding.fold(scalar) == nil ? nil : offset
        }
    }
}

/// The bonus of a letter for its position. The numbers are the same as in fzf, so that the ranking is familiar.
enum LetterBonus {
    /// The first letter of the text.
    static let start: UInt8 = 10
    /// The first letter of a word, or a separator.
    static let wordStart: UInt8 = 8
    /// A capital after a small letter, or the first digit of a number.
    static let hump: UInt8 = 7

    static let capitalBit: UInt8 = 0x80
    static let bonusBits: UInt8 = 0x0F

    /// The kind of a letter.
    enum Kind {
        case none, separator, small, capital, digit

        init(_ scalar: Unicode.Scalar, foldedTo letter: UInt32) {
            switch scalar {
            case "a"..."z": self = .small
            case "A"..."Z": self = .capital
            case "0"..."9": self = .digit
            case _ where scalar.isASCII: self = .separator
            default: self = letter != scalar.value && scalar.properties.isUppercase ? .capital : .small
            }
        }
    }

    /// The bonus of a letter, with the capital bit.
    ///
    /// - Parameter previous: the kind of the letter before; `.none` at the start of the text.
    static func of(_ kind: Kind, after previous: Kind) -> UInt8 {
        let capital = kind == .capital ? capitalBit : 0
        if previous == .none { return start | capital }
        if kind == .separator || previous == .separator { return wordStart | capital }
        if kind == .capital && previous != .capital { return hump | capital }
        return kind == .digit && previous != .digit ? hump : capital
    }
}

/// Folds letters, so that letters are equal regardless of case and accents.
///
/// An accented letter folds to the letter without accent, whether it consists of one scalar or of two.
enum LetterFolding {
    /// The folded letter; `nil` for a combining accent, which belongs to the previous letter.
    static func fold(_ scalar: Unicode.Scalar) -> UInt32? {
        let value = scalar.value
        switch value {
        case 0x41...0x5A: return value | 0x20
        case ..<0xC0: return value
        case ..<0x180: return latin[Int(value - 0xC0)]
        case 0x300...0x36F: return nil
        default:
            let small = scalar.properties.lowercaseMapping.unicodeScalars
            return bare(small.first?.value ?? value)
        }
    }

    /// The folded letters of U+00C0 to U+017F: Western and Central European.
    private static let latin: [UInt32] = Array(
        ("aaaaaaæceeeeiiiiðnooooo×ouuuuyþß" + "aaaaaaæceeeeiiiiðnooooo÷ouuuuyþy"
            + "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiĳĳjjkkĸ"
            + "llllllllllnnnnnnnŋŋooooooœœrrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs").unicodeScalars.map(\.value))

    /// Removes the accent of a lower-case Greek or Cyrillic letter.
    private static func bare(_ small: UInt32) -> UInt32 {
        switch small {
        case 0x3AC: 0x3B1
        case 0x3AD: 0x3B5
        case 0x3AE: 0x3B7
        case 0x3AF, 0x3CA, 0x390: 0x3B9
        case 0x3CC: 0x3BF
        case 0x3CD, 0x3CB, 0x3B0: 0x3C5
        case 0x3CE: 0x3C9
        case 0x3C2: 0x3C3
        case 0x439: 0x438
        case 0x450, 0x451: 0x435
        case 0x457: 0x456
        default: small
        }
    }
}
