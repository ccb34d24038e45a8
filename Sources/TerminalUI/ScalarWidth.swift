extension Unicode.Scalar {
    /// The number of columns of this scalar on a terminal: 0, 1 or 2. Control characters have 0, because they are only
    /// shown escaped.
    var columns: Int {
        switch value {
        case ..<0x20, 0x7F..<0xA0: return 0
        case ..<0x300: return 1
        // Vowels and finals of Hangul join the letter before them. Controls of hieroglyphs are invisible.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF, 0x13430...0x1343F: return 0
        // W and F in EastAsianWidth.txt of Unicode 17, without emoji.
        case 0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x2E99, 0x2E9B...0x2EF3,
            0x2F00...0x2FD5, 0x2FF0...0x3029, 0x3030...0x303E, 0x3041...0x3096, 0x309B...0x30FF, 0x3105...0x312F,
            0x3131...0x318E, 0x3190...0x31E5, 0x31EF...0x321E, 0x3220...0x3247, 0x3250...0xA48C, 0xA490...0xA4C6,
            0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE52, 0xFE54...0xFE66,
            0xFE68...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE3, 0x16FF2...0x16FF6,
            0x17000...0x18CD5, 0x18CFF...0x18D1E, 0x18D80...0x18DF2, 0x1AFF0...0x1AFF3, 0x1AFF5...0x1AFFB,
            0x1AFFD...0x1AFFE, 0x1B000...0x1B122, 0x1B132, 0x1B150...0x1B152, 0x1B155, 0x1B164...0x1B167,
            0x1B170...0x1B2FB, 0x1D300...0x1D356, 0x1D360...0x1D376, 0x1F200...0x1F202, 0x1F210...0x1F23B,
            0x1F240...0x1F248, 0x1F260...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD:
            return 2
        default: break
        }
        // Spacing marks have one column, because terminals measure each scalar separately.
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return properties.isEmojiPresentation ? 2 : 1
        }
    }

    /// Whether this scalar is invisible, reorders its neighbours, ends a line or is not a character.
    ///
    /// Such scalars can hide or disguise text. They are C1 controls, Default_Ignorable_Code_Point (bidi controls, zero
    /// width, tags, fillers), line and paragraph separators, interlinear annotation and noncharacters.
    var isDeceptive: Bool {
        switch value {
        case 0x80...0x9F, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200F,
            0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFDD0...0xFDEF, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB,
            0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        default:
            value & 0xFFFE == 0xFFFE
        }
    }

    /// The escaped form of this scalar if it is a control, deceptive, or not in the charset; otherwise `nil`.
    func escape(charset: Charset) -> String? {
        switch value {
        case 0x0A: charset == .unicode ? "⏎" : "\\n"
        case 0x09: charset == .unicode ? "⇥" : "\\t"
        case 0..<0x20, 0x7F: "^\(Unicode.Scalar(UInt8(value ^ 0x40)))"
        case ..<0x7F: nil
        default: charset == .ascii ? "\\u{\(hexadecimal)}" : isDeceptive ? codePoint : nil
        }
    }

    /// The scalar's code point in the form `<U+202E>`.
    var codePoint: String { "<U+\(String(repeating: "0", count: max(0, 4 - hexadecimal.count)))\(hexadecimal)>" }

    private var hexadecimal: String { String(value, radix: 16, uppercase: true) }

    /// Whether the scalar is invisible, but needed in words and emoji: a joiner, a non-joiner, or a variation selector.
    var isJoinerOrSelector: Bool { value == 0x200C || value == 0x200D || (0xFE00...0xFE0F).contains(value) }

    /// Whether the scalar is an emoji. A joiner after an emoji may be omitted.
    var isPictograph: Bool { value > 0xFF && properties.isEmoji }

    /// Whether the scalar only changes the previous emoji: a presentation selector, keycap or skin tone.
    var isEmojiModifier: Bool {
        value == 0xFE0E || value == 0xFE0F || value == 0x20E3 || (0x1F3FB...0x1F3FF).contains(value)
    }

    /// The letter of a regional indicator; `nil` for other scalars. Two indicators form a flag emoji, and terminals do
    /// not agree on the width of flags.
    var regionalLetter: Unicode.Scalar? {
        (0x1F1E6...0x1F1FF).contains(value) ? Unicode.Scalar(value - 0x1F1E6 + 0x41) : nil
    }
}

extension Character {
    /// The black flag of a flag of a part of a country, such as England's, whose tags terminals do not know; `nil` for
    /// other characters.
    var subregionFlag: Unicode.Scalar? {
        let scalars = unicodeScalars.prefix(9)
        guard let flag = scalars.first, flag.value == 0x1F3F4, 5...8 ~= scalars.count,
            scalars.last?.value == 0xE007F
        else { return nil }
        let isTagged = scalars.dropFirst().dropLast().allSatisfy {
            (0xE0061...0xE007A).contains($0.value) || (0xE0030...0xE0039).contains($0.value)
        }
        return isTagged ? flag : nil
    }
}
