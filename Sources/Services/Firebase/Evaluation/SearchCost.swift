import Platform

/// An upper estimate of the steps of a regular-expression search: Swift's `Regex` backtracks, and cannot be stopped.
///
/// `a+` may end anywhere, so it multiplies the steps by the length of the text. `(a+)+` may also restart anywhere, so
/// each further character multiplies the steps.
struct SearchCost {
    /// The maximum number of steps, as an exponent of two. A search with so many steps takes some tenths of a second,
    /// as measured with Swift 6.3 on a server with two cores.
    static let limit = 20.0

    private let whole: Group

    /// Counts the choices of an expression that `Regex` can parse.
    init(of expression: String) {
        var reader = Reader(remaining: Substring(expression).unicodeScalars)
        var whole = reader.readGroup()
        while !reader.remaining.isEmpty {  // after a `)` in a comment, which looked like the end of a group
            whole = Group(parts: [whole, reader.readGroup()])
        }
        // Comments and quoted parts may contain text that looks like the end of a group, so any nesting is possible.
        let hidesGroupEnd =
            ["\\Q", "(?#"].contains { expression.contains($0) } || expression.contains(#/\(\?[a-zA-Z]*x/#)
        if hidesGroupEnd { whole.repetition = Repetition(least: 0, most: nil) }
        self.whole = whole
    }

    /// The number of steps for a text of this length, as an exponent of two.
    func exponent(length: Int) -> Double {
        let positions = log2(Double(max(length, 1)))
        let bits = whole.bits(length: Double(length), positions: positions)
        // A search begins at each position; if the steps grow exponentially, only the first position matters.
        return bits.isExponential ? bits.count : bits.count + positions
    }

    /// How often a part of an expression is repeated.
    private struct Repetition: Equatable {
        static let once = Repetition(least: 1, most: 1)

        let least: Int
        let most: Int?
        var isFixed: Bool { least == most }
    }

    /// A group of an expression, or a character or set that is repeated.
    private struct Group {
        var parts: [Group] = []
        var alternatives = 1
        var repetition = Repetition.once

        /// How many repetitions and alternatives the group has, including those of its parts.
        private var choices: Int {
            parts.reduce(alternatives - 1) { $0 + $1.choices + ($1.repetition.isFixed ? 0 : 1) }
        }

        /// The number of steps as an exponent of two, and whether the steps grow exponentially with the text's length.
        func bits(length: Double, positions: Double) -> (count: Double, isExponential: Bool) {
            let inner = parts.map { $0.bits(length: length, positions: positions) }
            let once = inner.reduce(log2(Double(alternatives))) { $0 + $1.count }
            let isExponential = inner.contains(where: \.isExponential)
            if repetition.most == 1 { return (once + (repetition.isFixed ? 0 : log2(3)), isExponential) }
            let cost = log2(Double(max(repetition.least, 1))) + (repetition.isFixed ? 0 : positions)
            guard choices > 0 else { return (cost + once, false) }
            // Each repetition matches at least one character. Only the required repetitions may match nothing.
            let unbounded = (length + Double(repetition.least)) * log2(Double(1 + 2 * choices))
            guard let most = repetition.most, Double(most) * once + cost < unbounded else { return (unbounded, true) }
            return (Double(most) * once + cost, isExponential)
        }
    }

    private struct Reader {
        var remaining: Substring.UnicodeScalarView

        /// Reads to the end of a group, or of the expression.
        mutating func readGroup() -> Group {
            var group = Group()
            while let scalar = remaining.popFirst(), scalar != ")" {
                if scalar == "|" {
                    group.alternatives += 1
                    continue
                }
                var part = Group()
                switch scalar {
                case "\\": skipEscape()
                case "[": skipSet()
                case "(":
                    if remaining.first == "?" { remaining.removeFirst() }
                    part = readGroup()
                default: break
                }
                part.repetition = readRepetition()
                if !part.parts.isEmpty || part.alternatives > 1 || part.repetition != .once {
                    group.parts.append(part)
                }
            }
            return group
        }

        private mutating func skipEscape() {
            guard let escaped = remaining.popFirst(), remaining.first == "{",
                "pPxuNokg".unicodeScalars.contains(escaped)
            else {
                return
            }
            remaining = remaining.drop { $0 != "}" }.dropFirst()
        }

        /// Skips a set and the sets in it.
        private mutating func skipSet() {
            while let scalar = remaining.popFirst(), scalar != "]" {
                if scalar == "\\" { skipEscape() }
                if scalar == "[" { skipSet() }
            }
        }

        /// Reads `?`, `*`, `+`, `{3}`, `{3,}`, `{,3}` or `{1,3}`, and a following sign that makes it reluctant or
        /// possessive.
        private mutating func readRepetition() -> Repetition {
            let repetition: Repetition
            switch remaining.first {
            case "?": repetition = Repetition(least: 0, most: 1)
            case "*": repetition = Repetition(least: 0, most: nil)
            case "+": repetition = Repetition(least: 1, most: nil)
            case "{":
                let bounds = remaining.dropFirst().prefix { $0 != "}" }.split(
                    separator: ",", omittingEmptySubsequences: false
                )
                .map { Int(String($0)) }
                remaining = remaining.drop { $0 != "}" }
                repetition = Repetition(least: bounds[0] ?? 0, most: bounds[bounds.count - 1])
            default: return .once
            }
            remaining = remaining.dropFirst()
            if let sign = remaining.first, sign == "?" || sign == "+" { remaining.removeFirst() }
            return repetition
        }
    }
}
