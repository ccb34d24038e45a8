extension PatternReader {
    private static let octalDigits = "01234567"
    private static let hexadecimalDigits = "0123456789abcdefABCDEF"

    /// What a backslash and this scalar stand for outside a set.
    mutating func readEscape(_ scalar: Unicode.Scalar) throws(PatternError) -> PatternNode {
        switch scalar {
        case "A": return .anchor(.textStart)
        case "Z": return .anchor(.textEnd)
        case "b": return .anchor(.boundary)
        case "B": return .anchor(.inside)
        case "0": return .scalar(UInt32("0" + tokens.take(2, of: Self.octalDigits), radix: 8) ?? 0)
        case "1"..."9": return try readNumber(scalar)
        default: break
        }
        if let kind = Self.kind(scalar) { return .set(PatternSet(parts: [kind])) }
        return .scalar(try readScalar(scalar))
    }

    /// What a backslash and this scalar stand for in a set.
    mutating func readSetEscape(_ scalar: Unicode.Scalar) throws(PatternError) -> PatternSet.Part {
        if let kind = Self.kind(scalar) { return kind }
        var value: UInt32
        switch scalar {
        case "b": value = 8
        case "0"..."7":
            value = UInt32(String(scalar) + tokens.take(2, of: Self.octalDigits), radix: 8) ?? 0
            try Self.checkOctal(value)
        case "8", "9": throw PatternError(problem: "bad escape \\\(scalar)")
        default: value = try readScalar(scalar)
        }
        return .range(value, value)
    }

    private static func kind(_ scalar: Unicode.Scalar) -> PatternSet.Part? {
        switch scalar {
        case "d": .kind(.digit, isNegated: false)
        case "D": .kind(.digit, isNegated: true)
        case "s": .kind(.space, isNegated: false)
        case "S": .kind(.space, isNegated: true)
        case "w": .kind(.word, isNegated: false)
        case "W": .kind(.word, isNegated: true)
        default: nil
        }
    }

    /// Three octal digits are a scalar, everything else is the number of a group.
    private mutating func readNumber(_ first: Unicode.Scalar) throws(PatternError) -> PatternNode {
        let second = tokens.take(1, of: "0123456789")
        var digits = String(first) + second
        if !second.isEmpty, digits.allSatisfy({ Self.octalDigits.contains($0) }) {
            let third = tokens.take(1, of: Self.octalDigits)
            digits += third
            if !third.isEmpty, let value = UInt32(digits, radix: 8) {
                try Self.checkOctal(value)
                return .scalar(value)
            }
        }
        let group = Int(digits) ?? 0
        guard group <= groups.count else { throw PatternError(problem: "invalid group reference \(group)") }
        try groups.checkReference(group)
        return .reference(group)
    }

    private static func checkOctal(_ value: UInt32) throws(PatternError) {
        if value > 0o377 { throw PatternError(problem: "octal escape value outside of range 0-0o377") }
    }

    private mutating func readScalar(_ scalar: Unicode.Scalar) throws(PatternError) -> UInt32 {
        switch scalar {
        case "a": return 7
        case "f": return 12
        case "n": return 10
        case "r": return 13
        case "t": return 9
        case "v": return 11
        case "x": return try readHexadecimal(2)
        case "u": return try readHexadecimal(4)
        case "U":
            let value = try readHexadecimal(8)
            guard value <= 0x10FFFF else { throw PatternError(problem: "bad escape \\U") }
            return value
        case "N": throw PatternError(problem: "\\N{…} is not read here")
        case "a"..."z", "A"..."Z": throw PatternError(problem: "bad escape \\\(scalar)")
        default: return scalar.value
        }
    }

    private mutating func readHexadecimal(_ count: Int) throws(PatternError) -> UInt32 {
        let digits = tokens.take(count, of: Self.hexadecimalDigits)
        guard digits.utf8.count == count, let value = UInt32(digits, radix: 16) else {
            throw PatternError(problem: "incomplete escape; expected \(count) hexadecimal digits")
        }
        return value
    }

    /// Reads a set behind its opening bracket.
    mutating func readSet() throws(PatternError) -> PatternSet {
        var set = PatternSet(isNegated: tokens.take("^"))
        while let token = tokens.take() {
            if token == Self.bracket, !set.parts.isEmpty { return set }
            let part = try readSetPart(token)
            guard tokens.take("-") else {
                set.parts.append(part)
                continue
            }
            guard let end = tokens.take() else { break }
            guard end != Self.bracket else {
                set.parts += [part, .range(0x2D, 0x2D)]
                return set
            }
            guard case (.range(let low, _), .range(let high, _)) = (part, try readSetPart(end)), low <= high else {
                throw PatternError(problem: "bad character range")
            }
            set.parts.append(.range(low, high))
        }
        throw PatternError(problem: "unterminated character set")
    }

    private static let bracket = PatternTokens.Token(scalar: "]", isEscaped: false)

    private mutating func readSetPart(_ token: PatternTokens.Token) throws(PatternError) -> PatternSet.Part {
        token.isEscaped ? try readSetEscape(token.scalar) : .range(token.scalar.value, token.scalar.value)
    }
}
