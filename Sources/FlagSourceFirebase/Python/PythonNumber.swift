/// Texts as Python's `float()` reads them.
enum PythonNumber {
    /// `float(text)`; `nil` where that is an error. A number too large is infinite, one too small is zero.
    static func double(_ text: String) -> Double? {
        guard let ascii = ascii(text), let plain = withoutUnderscores(trimmed(ascii)) else { return nil }
        let isNegative = plain.first == UInt8(ascii: "-")
        let unsigned = plain.first.map { "+-".utf8.contains($0) } == true ? plain.dropFirst() : plain[...]
        switch String(decoding: unsigned, as: UTF8.self).lowercased() {
        case "inf", "infinity": return isNegative ? -Double.infinity : .infinity
        case "nan": return .nan
        default: return isDecimal(unsigned) ? Double(String(decoding: plain, as: UTF8.self)) : nil
        }
    }

    /// The text with other scripts' digits and spaces as ASCII; `nil` where anything else is not ASCII
    /// (`_PyUnicode_TransformDecimalAndSpaceToASCII`).
    static func ascii(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.value < 0x7F {
                bytes.append(UInt8(scalar.value))
            } else if PythonText.isSpace(scalar.value) {
                bytes.append(UInt8(ascii: " "))
            } else if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
                bytes.append(UInt8(ascii: "0") + UInt8(value))
            } else {
                return nil
            }
        }
        return bytes
    }

    /// Without white space at the ends. Here the separators 0x1C to 0x1F are none (`Py_ISSPACE`).
    static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { 0x09...0x0D ~= byte || byte == 0x20 }
        let rest = bytes.drop(while: isSpace)
        return rest.prefix((rest.lastIndex { !isSpace($0) } ?? rest.startIndex - 1) - rest.startIndex + 1)
    }

    static func isDigit(_ byte: UInt8?) -> Bool { byte.map { 0x30...0x39 ~= $0 } ?? false }

    /// Underscores may stand between digits (PEP 515); `nil` where one stands elsewhere.
    private static func withoutUnderscores(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let bytes = Array(bytes)
        for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "_") {
            guard place > 0, isDigit(bytes[place - 1]), place + 1 < bytes.count, isDigit(bytes[place + 1]) else {
                return nil
            }
        }
        return bytes.filter { $0 != UInt8(ascii: "_") }
    }

    /// Whether it is digits with a point somewhere, or none, and an exponent, or none.
    private static func isDecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
        let whole = bytes.prefix(while: isDigit)
        var rest = bytes.dropFirst(whole.count)
        var digits = whole.count
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: isDigit)
            digits += fraction.count
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard digits > 0 else { return false }
        guard let mark = rest.popFirst() else { return true }
        guard "eE".utf8.contains(mark) else { return false }
        if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
        return !rest.isEmpty && rest.allSatisfy(isDigit)
    }
}

/// A whole number of any length, as Python's `int()` reads it.
struct PythonInteger: Comparable {
    /// Longer texts are an error (`sys.get_int_max_str_digits`, 4300 by default).
    private static let digitLimit = 4300

    let isNegative: Bool
    /// Without leading zeros.
    private let digits: [UInt8]

    /// `int(text)`; `nil` where that is an error.
    init?(_ text: String) {
        guard let ascii = PythonNumber.ascii(text) else { return nil }
        var rest = PythonNumber.trimmed(ascii)
        let hasMinus = rest.first == UInt8(ascii: "-")
        if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
        let groups = rest.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        guard groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy(PythonNumber.isDigit) }) else { return nil }
        let all = Array(groups.joined())
        guard all.count <= Self.digitLimit else { return nil }
        digits = Array(all.drop { $0 == UInt8(ascii: "0") })
        isNegative = hasMinus && !digits.isEmpty
    }

    static let zero = PythonInteger()

    private init() { (isNegative, digits) = (false, []) }

    /// The number where it is small.
    var int: Int? { digits.isEmpty ? 0 : Int((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)) }

    static func < (left: PythonInteger, right: PythonInteger) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        return left.isNegative ? isSmaller(right.digits, left.digits) : isSmaller(left.digits, right.digits)
    }

    private static func isSmaller(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
}
