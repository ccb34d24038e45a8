/// Decodes the escapes in a JSON string that the parser has already checked.
enum JSONEscapes {
    /// The text of a string with escapes.
    static func decoded(_ source: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        Array(unsafeUninitializedCapacity: source.count) { text, count in
            let rawText = UnsafeMutableRawBufferPointer(text)
            var (at, end) = (0, 0)
            func append(_ byte: UInt8) {
                text[end] = byte
                end += 1
            }
            while at < source.count {
                if at + 8 <= source.count {
                    // All eight bytes are copied; those from an escape on are replaced afterwards.
                    let word = source.word(at: at)
                    let escapes = word.marks(of: UInt8(ascii: "\\"))
                    rawText.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt64.self)
                    let plainCount = escapes == 0 ? 8 : escapes.trailingZeroBitCount / 8
                    at += plainCount
                    end += plainCount
                    if escapes == 0 { continue }
                }
                let byte = source[at]
                at += 1
                guard byte == UInt8(ascii: "\\") else {
                    append(byte)
                    continue
                }
                let letter = source[at]
                at += 1
                if letter == UInt8(ascii: "u") {
                    scalar(source, &at).forEach(append)
                } else {
                    append(self.byte(ofEscape: letter))
                }
            }
            count = end
        }
    }

    /// The bytes of a scalar whose digits, or whose first half's digits, are at a position.
    private static func scalar(_ source: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> [UInt8] {
        var scalar = hexadecimal(source, at: at) ?? 0
        at += 4
        if scalar & 0xF800 == 0xD800 {
            // The parser has rejected lone surrogates, so the second half follows.
            scalar = 0x10000 + (scalar - 0xD800) << 10 + ((hexadecimal(source, at: at + 2) ?? 0xDC00) - 0xDC00)
            at += 6
        }
        return Unicode.Scalar(scalar).map { Array(String($0).utf8) } ?? []
    }

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
