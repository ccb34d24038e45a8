/// Decodes the escapes in a JSON string that the parser has already checked.
enum JSONEscapes {
    /// The text of a string with escapes.
    static func decoded(_ source: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        Array(unsafeUninitializedCapacity: source.count) { room, count in count = decode(source, into: room) }
    }

    /// Writes the decoded text of `source` to `room`. Returns the number of written bytes, at most the length of
    /// `source`.
    private static func decode(_ source: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>)
        -> Int
    {
        var from = 0
        var to = 0
        while from < source.count {
            let run = copyPlainRun(source, from, room, to)
            from += run
            to += run
            if from < source.count { decodeOne(source, &from, room, &to) }
        }
        return to
    }

    /// Copies the bytes before the next backslash, eight at a time if possible, and returns the number of copied bytes.
    private static func copyPlainRun(
        _ source: UnsafeBufferPointer<UInt8>, _ from: Int, _ room: UnsafeMutableBufferPointer<UInt8>, _ to: Int
    ) -> Int {
        let raw = UnsafeRawBufferPointer(source)
        let target = UnsafeMutableRawBufferPointer(room)
        var run = 0
        while from + run + 8 <= source.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: from + run, as: UInt64.self))
            // This also writes the bytes after a backslash; the next write replaces them.
            target.storeBytes(of: word.littleEndian, toByteOffset: to + run, as: UInt64.self)
            let hit = ByteWord.matches(word, UInt8(ascii: "\\"))
            guard hit == 0 else { return run + hit.trailingZeroBitCount / 8 }
            run += 8
        }
        while from + run < source.count, source[from + run] != UInt8(ascii: "\\") {
            room[to + run] = source[from + run]
            run += 1
        }
        return run
    }

    private static func decodeOne(
        _ source: UnsafeBufferPointer<UInt8>, _ from: inout Int,
        _ room: UnsafeMutableBufferPointer<UInt8>, _ to: inout Int
    ) {
        let letter = source[from + 1]
        guard letter == UInt8(ascii: "u") else {
            room[to] = byte(ofEscape: letter)
            from += 2
            to += 1
            return
        }
        var scalar = hexadecimal(source, at: from + 2)
        from += 6
        if scalar & 0xF800 == 0xD800 {
            // The parser has rejected lone surrogates, so the second half follows.
            scalar = 0x10000 + (scalar - 0xD800) << 10 + (hexadecimal(source, at: from + 2) - 0xDC00)
            from += 6
        }
        to += encode(scalar, into: room, at: to)
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

    /// The value of the four hexadecimal digits at `start`.
    static func hexadecimal(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt32 {
        var value: UInt32 = 0
        for offset in start..<start + 4 { value = value << 4 | UInt32(hexadecimalDigit(bytes[offset]) ?? 0) }
        return value
    }

    /// The value of a hexadecimal digit in either case; `nil` for another byte.
    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func encode(_ scalar: UInt32, into room: UnsafeMutableBufferPointer<UInt8>, at to: Int) -> Int {
        guard let scalar = Unicode.Scalar(scalar) else { return 0 }
        var count = 0
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
            room[to + count] = byte
            count += 1
        }
        return count
    }
}

/// Tests on eight bytes at once. The lowest set bit of a result is exact; higher bits may be wrong.
enum ByteWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Sets the high bit of each byte of `word` that equals `byte`.
    @inline(__always)
    static func matches(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & highs
    }

    /// Sets the high bit of each byte of `word` below `limit`, which is at most 128.
    @inline(__always)
    static func below(_ word: UInt64, _ limit: UInt8) -> UInt64 {
        (word &- ones &* UInt64(limit)) & ~word & highs
    }
}
