import Platform

/// How many steps a regular-expression search may take: Swift's `Regex` backtracks, and cannot be stopped.
///
/// `a+` may end anywhere, so that it multiplies the steps by the length of the text. `(a+)+` may also restart anywhere,
/// so that each further character multiplies them. This counts too many rather than too few.
struct SearchCost {
    /// The most steps, as a power of two: some tenths of a second, as measured with Swift 6.3 on a server with two cores.
    static let limit = 20.0

    private let whole: Group

    /// Counts the choices of an expression that `Regex` can parse.
    init(of expression: String) {
        var reader = Reader(rest: Substring(expression).unicodeScalars)
        var whole = reader.readGroup()
        while !reader.rest.isEmpty {  // an end of a group that a comment hides
            whole = Group(parts: [whole, reader.readGroup()])
        }
        // Comments and quoted parts may contain what looks like the end of a group, so that any nesting is possible.
        let hides = ["\\Q", "(?#"].contains { expression.contains($0) } || expression.contains(#/\(\?[a-zA-Z]*x/#)
        if hides { whole.times = Times(least: 0, most: nil) }
        self.whole = whole
    }

    /// The steps in a text of so many characters, as a power of two.
    func exponent(length: Int) -> Double {
        let positions = log2(Double(max(length, 1)))
        let bits = whole.bits(length: Double(length), positions: positions)
        // A search begins at each position. Exponential growth takes most of its time at the first.
        return bits.isExponential ? bits.count : bits.count + positions
    }

    /// How often something is repeated.
    private struct Times: Equatable {
        static let once = Times(least: 1, most: 1)

        let least: Int
        let most: Int?
        var isFixed: Bool { least == most }
    }

    /// A group of an expression, or a character or set that is repeated.
    private struct Group {
        var parts: [Group] = []
        var alternatives = 1
        var times = Times.once

        /// How many repetitions and alternatives it has.
        private var choices: Int {
            parts.reduce(alternatives - 1) { $0 + $1.choices + ($1.times.isFixed ? 0 : 1) }
        }

        func bits(length: Double, positions: Double) -> (count: Double, isExponential: Bool) {
            let inner = parts.map { $0.bits(length: length, positions: positions) }
            let once = inner.reduce(log2(Double(alternatives))) { $0 + $1.count }
            let isExponential = inner.contains(where: \.isExponential)
            if times.most == 1 { return (once + (times.isFixed ? 0 : log2(3)), isExponential) }
            let own = log2(Double(max(times.least, 1))) + (times.isFixed ? 0 : positions)
            guard choices > 0 else { return (own + once, false) }
            // Each repetition takes a character, or is one of the required ones, which may be empty.
            let unbounded = (length + Double(times.least)) * log2(Double(1 + 2 * choices))
            guard let most = times.most, Double(most) * once + own < unbounded else { return (unbounded, true) }
            return (Double(most) * once + own, isExponential)
        }
    }

    private struct Reader {
        var rest: Substring.UnicodeScalarView

        /// Reads to the end of a group, or of the expression.
        mutating func readGroup() -> Group {
            var group = Group()
            while let scalar = rest.popFirst(), scalar != ")" {
                if scalar == "|" {
                    group.alternatives += 1
                    continue
                }
                var part = Group()
                switch scalar {
                case "\\": skipEscape()
                case "[": skipSet()
                case "(":
                    if rest.first == "?" { rest.removeFirst() }
                    part = readGroup()
                default: break
                }
                part.times = readTimes()
                if !part.parts.isEmpty || part.alternatives > 1 || part.times != .once {
                    group.parts.append(part)
                }
            }
            return group
        }

        private mutating func skipEscape() {
            guard let escaped = rest.popFirst(), rest.first == "{", "pPxuNokg".unicodeScalars.contains(escaped) else {
                return
            }
            rest = rest.drop { $0 != "}" }.dropFirst()
        }

        /// Skips a set and the sets in it.
        private mutating func skipSet() {
            while let scalar = rest.popFirst(), scalar != "]" {
                if scalar == "\\" { skipEscape() }
                if scalar == "[" { skipSet() }
            }
        }

        /// Reads `?`, `*`, `+`, `{3}`, `{3,}`, `{,3}` or `{1,3}`, and a following sign that makes it reluctant or
        /// possessive.
        private mutating func readTimes() -> Times {
            let times: Times
            switch rest.first {
            case "?": times = Times(least: 0, most: 1)
            case "*": times = Times(least: 0, most: nil)
            case "+": times = Times(least: 1, most: nil)
            case "{":
                let bounds = rest.dropFirst().prefix { $0 != "}" }.split(
                    separator: ",", omittingEmptySubsequences: false
                )
                .map { Int(String($0)) }
                rest = rest.drop { $0 != "}" }
                times = Times(least: bounds[0] ?? 0, most: bounds[bounds.count - 1])
            default: return .once
            }
            rest = rest.dropFirst()
            if let sign = rest.first, sign == "?" || sign == "+" { rest.removeFirst() }
            return times
        }
    }
}
