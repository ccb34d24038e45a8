/// Texts as Python's `str` handles them: by Unicode scalars, without equivalence of any kind.
enum PythonText {
    /// Whether `str.isspace()` holds (`_PyUnicode_IsWhitespace` of CPython 3.11): bidirectional type WS, B or S, or
    /// category Zs.
    static func isSpace(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
            true
        default: false
        }
    }

    /// `text.strip()`.
    static func stripped(_ text: String) -> [Unicode.Scalar] {
        let rest = text.unicodeScalars.drop { isSpace($0.value) }
        return Array(rest).reversed().drop { isSpace($0.value) }.reversed()
    }

    /// `part in text`.
    static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        guard part.count <= text.count else { return false }
        return (0...text.count - part.count).contains { text[$0..<$0 + part.count].elementsEqual(part) }
    }

    /// `repr(number)`: the fewest digits that make the same number, with an exponent below 1e-4 and from 1e16 on
    /// (`float_repr_style` "short" of CPython).
    static func repr(_ number: Double) -> String {
        guard number.isFinite else { return number.isNaN ? "nan" : number < 0 ? "-inf" : "inf" }
        let sign = number.sign == .minus ? "-" : ""
        guard number != 0 else { return "\(sign)0.0" }
        let (digits, point) = digits(of: number.magnitude)
        guard -3...16 ~= point else {
            let exponent = point - 1
            let tail = digits.count > 1 ? ".\(digits.dropFirst())" : ""
            let size = exponent.magnitude < 10 ? "0\(exponent.magnitude)" : "\(exponent.magnitude)"
            return "\(sign)\(digits.prefix(1))\(tail)e\(exponent < 0 ? "-" : "+")\(size)"
        }
        guard point > 0 else { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)" }
        guard point < digits.count else {
            return "\(sign)\(digits)\(String(repeating: "0", count: point - digits.count)).0"
        }
        return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
    }

    /// The fewest digits, which Swift's description has too, and where the point stands among them.
    private static func digits(of number: Double) -> (String, point: Int) {
        let parts = number.description.split(separator: "e")
        let halves = parts[0].split(separator: ".")
        let fraction = halves.count > 1 && halves[1] != "0" ? halves[1] : ""
        let all = halves[0] + fraction
        let leading = all.prefix { $0 == "0" }.count
        let digits = all.dropFirst(leading)
        let trailing = digits.reversed().prefix { $0 == "0" }.count
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        return (String(digits.dropLast(trailing)), halves[0].count - leading + exponent)
    }
}
