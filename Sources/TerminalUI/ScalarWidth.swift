extension Unicode.Scalar {
    /// The number of columns of this scalar on a terminal: 0, 1 or 2. Control characters have 0, because they are only
    /// shown escaped.
    var columns: Int {
        if value < 0x300 { return (0x20..<0x7F).contains(value) || value >= 0xA0 ? 1 : 0 }
        if WidthTable.zero.hasRange(containing: value) { return 0 }
        return value >= 0x1100 && WidthTable.wide.hasRange(containing: value) ? 2 : 1
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

extension [UInt32] {
    /// Whether a scalar is in one of the ranges in this array. The array is sorted: first, last, first, last, and so
    /// on.
    fileprivate func hasRange(containing scalar: UInt32) -> Bool {
        withUnsafeBufferPointer { bounds in
            var low = 0
            var high = bounds.count / 2
            while low < high {
                let middle = (low + high) / 2
                if scalar > bounds[2 * middle + 1] { low = middle + 1 } else { high = middle }
            }
            return 2 * low < bounds.count && scalar >= bounds[2 * low]
        }
    }
}
