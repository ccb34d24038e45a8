/// A text prepared for the search: its letters without case and accents, and the bonus of each letter.
struct FoldedText {
    /// The letters, as folded scalars.
    private(set) var letters: [UInt32] = []
    /// The ``LetterBonus`` of each letter, with the top bit set for a capital.
    private(set) var bonuses: [UInt8] = []
    /// The byte offset of each letter in the text.
    private(set) var offsets: [Int] = []

    init(_ text: String) {
        letters.reserveCapacity(text.utf8.count)
        bonuses.reserveCapacity(text.utf8.count)
        var offset = 0
        var previous = LetterBonus.Kind.none
        for scalar in text.unicodeScalars {
            if let letter = LetterFolding.fold(scalar) {
                let kind = LetterBonus.Kind(scalar, foldedTo: letter)
                letters.append(letter)
                bonuses.append(LetterBonus.of(kind, after: previous))
                offsets.append(offset)
                previous = kind
            }
            offset += UTF8.width(scalar)
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
    /// Any other letter.
    static let inside: UInt8 = 0

    static let capitalBit: UInt8 = 0x80
    static let bonusBits: UInt8 = 0x0F

    /// The kind of a letter.
    enum Kind {
        case none, separator, small, capital, digit

        init(_ scalar: Unicode.Scalar, foldedTo letter: UInt32) {
            if scalar.isASCII {
                self.init(UInt8(scalar.value))
            } else {
                self = letter != scalar.value && scalar.properties.isUppercase ? .capital : .small
            }
        }

        init(_ byte: UInt8) {
            switch byte {
            case 0x61...0x7A: self = .small
            case 0x41...0x5A: self = .capital
            case 0x30...0x39: self = .digit
            default: self = .separator
            }
        }
    }

    /// The bonus of a letter, with the capital bit.
    ///
    /// - Parameter previous: the kind of the letter before; `.none` at the start of the text.
    @inline(__always)
    static func of(_ kind: Kind, after previous: Kind) -> UInt8 {
        let capital = kind == .capital ? capitalBit : 0
        if previous == .none { return start | capital }
        if kind == .separator || previous == .separator { return wordStart | capital }
        if kind == .capital && previous != .capital { return hump | capital }
        return kind == .digit && previous != .digit ? hump : inside | capital
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
