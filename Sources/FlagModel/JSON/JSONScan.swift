/// Scans single tokens of a text: strings, numbers and white space.
struct JSONScan {
    let bytes: UnsafeBufferPointer<UInt8>
    let end: Int

    /// The four white space bytes of RFC 8259.
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    /// Scans the string whose opening quote is at `start`. Returns the string's extent for the node, and the position
    /// after the string.
    func string(at start: Int) throws(JSONFault) -> (extent: UInt32, end: Int) {
        var at = start + 1
        var escapes: UInt32 = 0
        while true {
            at = endOfPlainRun(from: at)
            guard at < end else { throw JSONFault(offset: start, issue: "unterminated string") }
            switch bytes[at] {
            case UInt8(ascii: "\""):
                return (UInt32(truncatingIfNeeded: at - start - 1) | escapes, at + 1)
            case UInt8(ascii: "\\"):
                escapes = JSONNode.escapeBit
                at = try endOfEscape(at: at)
            case 0x80...:
                guard let scalar = scalar(at: at) else { throw JSONFault(offset: at, issue: "invalid UTF-8") }
                at += scalar.count
            default:
                throw JSONFault(
                    offset: at,
                    issue: bytes[at] == UInt8(ascii: "\n")
                        ? "a quote is missing at the end of this line" : "\(name(at: at)) in a string must be escaped")
            }
        }
    }

    /// The position of the next quote, backslash, control character or non-ASCII byte; `end` if there is none.
    @inline(__always)
    private func endOfPlainRun(from start: Int) -> Int {
        var at = start
        while at + 8 <= end {
            let word = bytes.word(at: at)
            let others =
                word & UInt64.highBits | word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\""))
                | word.marks(of: UInt8(ascii: "\\"))
            if others != 0 { return at + others.trailingZeroBitCount / 8 }
            at += 8
        }
        while at < end, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\"), 0x20..<0x80 ~= bytes[at] {
            at += 1
        }
        return at
    }

    @inline(__always)
    private func endOfEscape(at start: Int) throws(JSONFault) -> Int {
        switch start + 1 < end ? bytes[start + 1] : 0 {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            let unit = try unit(at: start)
            guard unit & 0xF800 == 0xD800 else { return start + 6 }
            guard unit < 0xDC00, try hasSecondHalf(at: start + 6) else {
                throw JSONFault(offset: start, issue: "unpaired surrogate in an escape")
            }
            return start + 12
        default:
            throw JSONFault(
                offset: start, issue: "unknown escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
        }
    }

    private func unit(at start: Int) throws(JSONFault) -> UInt32 {
        guard start + 6 <= end, let unit = JSONEscapes.hexadecimal(bytes, at: start + 2) else {
            throw JSONFault(offset: start, issue: "expected four hexadecimal digits after \\u")
        }
        return unit
    }

    private func hasSecondHalf(at start: Int) throws(JSONFault) -> Bool {
        guard start + 1 < end, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
            return false
        }
        return 0xDC00...0xDFFF ~= (try unit(at: start))
    }

    /// The scalar at a position; `nil` if the bytes are not UTF-8.
    private func scalar(at start: Int) -> Unicode.UTF8.EncodedScalar? {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes[start..<end].makeIterator()
        guard case .valid(let scalar) = parser.parseScalar(from: &rest) else { return nil }
        return scalar
    }

    /// Scans a number, `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`, and returns the position after the
    /// number.
    func number(at start: Int) throws(JSONFault) -> Int {
        var at = start
        func isNext(_ a: UInt8, _ b: UInt8? = nil) -> Bool { at < end && (bytes[at] == a || bytes[at] == b) }
        func digits() throws(JSONFault) {
            let first = at
            while at < end, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[at] { at += 1 }
            if at == first { throw JSONFault(offset: at, issue: "expected a digit, found \(name(at: at))") }
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
    func name(at place: Int) -> String {
        guard place < end else { return "the end of the text" }
        let byte = bytes[place]
        if 0x21...0x7E ~= byte { return "'\(Character(Unicode.Scalar(byte)))'" }
        guard let scalar = scalar(at: place) else { return "the byte 0x\(byte.padded(to: 2, radix: 16))" }
        return "U+\(Unicode.UTF8.decode(scalar).value.padded(to: 4, radix: 16))"
    }
}
