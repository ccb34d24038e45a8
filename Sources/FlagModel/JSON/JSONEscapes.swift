/// Decodes the escapes in a JSON string that the parser has already checked.
enum JSONEscapes {
    /// The text of a string with escapes.
    static func decoded(_ source: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        Array(unsafeUninitializedCapacity: source.count) { text, count in
            let rawText = UnsafeMutableRawBufferPointer(text)
            var (at, end) = (0, 0)
            while at < source.count {
                if at + 8 <= source.count {
                    // All eight bytes are copied; those from an escape on are replaced afterwards.
                    let word = source.word(at: at)
                    let escapes = word.marks(of: UInt8(ascii: "\\"))
                    rawText.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt64.self)
                    if escapes == 0 {
                        (at, end) = (at + 8, end + 8)
                        continue
                    }
                    let plainCount = escapes.trailingZeroBitCount / 8
                    (at, end) = (at + plainCount, end + plainCount)
                }
                guard source[at] == UInt8(ascii: "\\") else {
                    text[end] = source[at]
                    (at, end) = (at + 1, end + 1)
                    continue
                }
                let letter = source[at + 1]
                guard letter == UInt8(ascii: "u") else {
                    text[end] = byte(ofEscape: letter)
                    (at, end) = (at + 2, end + 1)
                    continue
                }
                let (utf8, length) = scalar(source, at: at)
                for byte in utf8 {
                    text[end] = byte
                    end += 1
                }
                at += length
            }
            count = end
        }
    }

    /// The bytes of the scalar whose escape, or whose first half's escape, is at a position, and the length of the
    /// escape or of both halves. Not inlined, because it is rare and would slow the loop around it to half its speed.
    @inline(never)
    private static func scalar(_ source: UnsafeBufferPointer<UInt8>, at start: Int) -> (utf8: [UInt8], length: Int) {
        var (scalar, length) = (hexadecimal(source, at: start + 2) ?? 0, 6)
        if scalar & 0xF800 == 0xD800 {
            // The parser has rejected lone surrogates, so the second half follows.
            scalar = 0x10000 + (scalar - 0xD800) << 10 + ((hexadecimal(source, at: start + 8) ?? 0xDC00) - 0xDC00)
            length = 12
        }
        return (Unicode.Scalar(scalar).map { Array(String($0).utf8) } ?? [], length)
    }

    @inline(__always)
    private static func byte(ofEscape letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    /// The value of the four hexadecimal digits at `start`; `nil` for other bytes.
    static func hexadecimal(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt32? {
        var value: UInt32 = 0
        for byte in bytes[start..<start + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
