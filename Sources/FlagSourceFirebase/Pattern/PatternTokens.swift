/// The text of a regular expression, taken apart into scalars and pairs of a backslash and what it escapes.
struct PatternTokens {
    /// One scalar, or one with a backslash before it.
    struct Token: Equatable {
        let scalar: Unicode.Scalar
        let isEscaped: Bool
    }

    private let tokens: [Token]
    /// How many have been taken.
    var place = 0

    init(_ text: String) throws(PatternError) {
        var tokens: [Token] = []
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                tokens.append(Token(scalar: scalar, isEscaped: false))
                continue
            }
            guard let escaped = scalars.next() else { throw PatternError(problem: "bad escape (end of pattern)") }
            tokens.append(Token(scalar: escaped, isEscaped: true))
        }
        self.tokens = tokens
    }

    /// The next one, escaped or not.
    var token: Token? { place < tokens.count ? tokens[place] : nil }

    /// The next one where it is not escaped.
    var next: Unicode.Scalar? { token.flatMap { $0.isEscaped ? nil : $0.scalar } }

    var isAtEnd: Bool { place == tokens.count }

    mutating func take() -> Token? {
        defer { place = min(place + 1, tokens.count) }
        return token
    }

    /// Takes the next one if it is this scalar, not escaped.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        place += 1
        return true
    }

    /// Takes scalars while they belong to a set, but no more than `limit`.
    mutating func take(_ limit: Int, of set: String) -> String {
        var result = ""
        while result.unicodeScalars.count < limit, let next, set.unicodeScalars.contains(next) {
            result.unicodeScalars.append(next)
            place += 1
        }
        return result
    }

    /// Takes everything up to a scalar, and the scalar.
    mutating func takeName(upTo end: Unicode.Scalar) throws(PatternError) -> String {
        var name = ""
        while let token = take() {
            if token.isEscaped {
                name += "\\"
            } else if token.scalar == end {
                guard !name.isEmpty else { throw PatternError(problem: "missing group name") }
                return name
            }
            name.unicodeScalars.append(token.scalar)
        }
        throw PatternError(problem: "missing \(end), unterminated name")
    }
}
