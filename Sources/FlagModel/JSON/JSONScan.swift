/// Scanners for single tokens: strings, numbers and white space.
enum JSONScan {
    /// The four white space bytes of RFC 8259.
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    /// Scans the string whose opening quote is at `start`. Returns the string's extent for the node, and the position
    /// after the string.
    static func string(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int
    ) throws(JSONFault) -> (extent: UInt32, end: Int) {
        var at = start + 1
        var escapes: UInt32 = 0
        while true {
            at = endOfPlainRun(bytes, at: at, end: end)
            guard at < end else { throw JSONFault(offset: start, issue: "unterminated string") }
            switch bytes[at] {
            case UInt8(ascii: "\""):
                return (UInt32(truncatingIfNeeded: at - start - 1) | escapes, at + 1)
            case UInt8(ascii: "\\"):
                escapes = JSONNode.escapeBit
                // A shortcut, as escaped quotes are frequent if the string contains JSON.
                let isQuote = at + 1 < end && bytes[at + 1] == UInt8(ascii: "\"")
                at = isQuote ? at + 2 : try escape(bytes, at: at, end: end)
            case 0x80...:
                at = try sequence(bytes, at: at, end: end)
            default:
                let name = name(bytes, at: at, end: end)
                throw JSONFault(
                    offset: at,
                    issue: bytes[at] == UInt8(ascii: "\n")
                        ? "a quote is missing at the end of this line" : "\(name) in a string must be escaped")
            }
        }
    }

    /// The position of the next quote, backslash, control character or non-ASCII byte; `end` if there is none.
    @inline(__always)
    private static func endOfPlainRun(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var at = start
        while at + 8 <= end {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            let quotes = ByteWord.matches(word, UInt8(ascii: "\"")) | ByteWord.matches(word, UInt8(ascii: "\\"))
            let hits = quotes | ByteWord.below(word, 0x20) | (word & ByteWord.highs)
            guard hits == 0 else { return at + hits.trailingZeroBitCount / 8 }
            at += 8
        }
        while at < end, bytes[at] >= 0x20, bytes[at] < 0x80,
            bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\")
        {
            at += 1
        }
        return at
    }

    private static func escape(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int
    ) throws(JSONFault) -> Int {
        switch start + 1 < end ? bytes[start + 1] : 0 {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            let unit = try unit(bytes, at: start, end: end)
            guard unit & 0xF800 == 0xD800 else { return start + 6 }
            guard unit < 0xDC00, try hasSecondHalf(bytes, at: start + 6, end: end) else {
                throw JSONFault(offset: start, issue: "unpaired surrogate in an escape")
            }
            return start + 12
        default:
            throw JSONFault(
                offset: start, issue: "unknown escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
        }
    }

    private static func unit(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int
    ) throws(JSONFault) -> UInt32 {
        guard start + 6 <= end, bytes[start + 2..<start + 6].allSatisfy({ JSONEscapes.hexadecimalDigit($0) != nil })
        else { throw JSONFault(offset: start, issue: "expected four hexadecimal digits after \\u") }
        return JSONEscapes.hexadecimal(bytes, at: start + 2)
    }

    private static func hasSecondHalf(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int
    ) throws(JSONFault) -> Bool {
        guard start + 1 < end, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
            return false
        }
        return 0xDC00...0xDFFF ~= (try unit(bytes, at: start, end: end))
    }

    /// Checks a scalar of several bytes against the table of well-formed sequences (Unicode, table 3-7), and returns
    /// the position after the scalar.
    private static func sequence(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int
    ) throws(JSONFault) -> Int {
        guard let length = sequenceLength(bytes, at: start, end: end) else {
            throw JSONFault(offset: start, issue: "invalid UTF-8")
        }
        return start + length
    }

    static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Int? {
        let (length, second): (Int, ClosedRange<UInt8>)
        switch bytes[start] {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard start + length <= end, second ~= bytes[start + 1] else { return nil }
        for offset in start + 2..<start + max(length, 2) where bytes[offset] & 0xC0 != 0x80 { return nil }
        return length
    }

    /// Scans a number, `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`, and returns the position after the
    /// number.
    static func number(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int
    ) throws(JSONFault) -> Int {
        var at = start
        func isNext(_ a: UInt8, _ b: UInt8? = nil) -> Bool { at < end && (bytes[at] == a || bytes[at] == b) }
        func digits() throws(JSONFault) {
            let first = at
            while at < end, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[at] { at += 1 }
            if at == first {
                throw JSONFault(offset: at, issue: "expected a digit, found \(name(bytes, at: at, end: end))")
            }
        }
        if isNext(UInt8(ascii: "-")) { at += 1 }
        if isNext(UInt8(ascii: "0")) {
            at += 1
            if at < end, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[at] {
                throw JSONFault(offset: at, issue: "a number cannot have a leading zero")
            }
        } else {
            try digits()
        }
        if isNext(UInt8(ascii: ".")) {
            at += 1
            try digits()
        }
        if isNext(UInt8(ascii: "e"), UInt8(ascii: "E")) {
            at += 1
            if isNext(UInt8(ascii: "+"), UInt8(ascii: "-")) { at += 1 }
            try digits()
        }
        return at
    }

    /// The character at a position, for a message. A character that is not printable ASCII is shown by its code.
    static func name(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int, end: Int) -> String {
        guard place < end else { return "the end of the text" }
        let byte = bytes[place]
        if 0x21...0x7E ~= byte { return "'\(Character(Unicode.Scalar(byte)))'" }
        guard byte >= 0x80 else { return "U+\(hexadecimal(UInt32(byte), digits: 4))" }
        guard let length = sequenceLength(bytes, at: place, end: end) else {
            return "the byte 0x\(hexadecimal(UInt32(byte), digits: 2))"
        }
        let scalar = String(decoding: bytes.part(place, length), as: UTF8.self).unicodeScalars.first?.value ?? 0
        return "U+\(hexadecimal(scalar, digits: 4))"
    }

    /// Upper-case hexadecimal with leading zeros.
    static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
