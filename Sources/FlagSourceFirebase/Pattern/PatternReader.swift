/// Reads a regular expression as Python does (`re/_parser.py` of CPython 3.11), refusing what it refuses.
///
/// Not read: `\N{name}`, which takes all names of Unicode, and the undocumented flag `t`.
struct PatternReader {
    /// Deeper groups are refused, so that no pattern can use up the stack. Python gives up at some depth, too.
    private static let depthLimit = 150

    var tokens: PatternTokens
    /// What stands at the start of the whole expression.
    private(set) var flags: PatternFlags = []
    var groups = PatternGroups()
    private var depth = 0

    private init(_ text: String) throws(PatternError) { tokens = try PatternTokens(text) }

    /// The expression, its flags, and how many groups it has.
    static func read(_ text: String) throws(PatternError) -> (node: PatternNode, flags: PatternFlags, groups: Int) {
        var reader = try PatternReader(text)
        let node = try reader.readChoice(isVerbose: false)
        guard reader.tokens.isAtEnd else { throw PatternError(problem: "unbalanced parenthesis") }
        guard !reader.flags.isSuperset(of: .types) else {
            throw PatternError(problem: "ASCII and UNICODE flags are incompatible")
        }
        try reader.groups.checkConditions()
        return (node, reader.flags, reader.groups.count)
    }

    mutating func readChoice(isVerbose: Bool) throws(PatternError) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw PatternError(problem: "its groups are too deep") }
        var isVerbose = isVerbose
        var alternatives: [PatternNode] = []
        repeat {
            alternatives.append(try readSequence(isVerbose: isVerbose, isFirst: depth == 1 && alternatives.isEmpty))
            if depth == 1 { isVerbose = flags.contains(.verbose) }
        } while tokens.take("|")
        return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
    }

    /// Reads up to `|`, `)` or the end.
    mutating func readSequence(isVerbose: Bool, isFirst: Bool = false) throws(PatternError) -> PatternNode {
        var isVerbose = isVerbose
        var nodes: [PatternNode] = []
        while let token = tokens.token, token.isEscaped || !(token.scalar == "|" || token.scalar == ")") {
            _ = tokens.take()
            if isVerbose, !token.isEscaped, skipSpace(token.scalar) { continue }
            if token.isEscaped {
                nodes.append(try readEscape(token.scalar))
            } else if "*+?{".unicodeScalars.contains(token.scalar) {
                try readRepetition(token.scalar, of: &nodes)
            } else if token.scalar == "(" {
                if let node = try readGroup(isVerbose: isVerbose, canSetFlags: isFirst && nodes.isEmpty) {
                    nodes.append(node)
                } else {
                    isVerbose = isVerbose || (isFirst && flags.contains(.verbose))
                }
            } else {
                nodes.append(try readPlain(token.scalar))
            }
        }
        return .sequence(nodes)
    }

    mutating func setGlobal(_ added: PatternFlags) { flags.formUnion(added) }

    private mutating func readPlain(_ scalar: Unicode.Scalar) throws(PatternError) -> PatternNode {
        switch scalar {
        case ".": .any
        case "^": .anchor(.lineStart)
        case "$": .anchor(.lineEnd)
        case "[": .set(try readSet())
        default: .scalar(scalar.value)
        }
    }

    /// With `(?x)`, white space and comments mean nothing.
    private mutating func skipSpace(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "#" {
            while let token = tokens.take(), token != PatternTokens.Token(scalar: "\n", isEscaped: false) {}
            return true
        }
        return " \t\n\r\u{B}\u{C}".unicodeScalars.contains(scalar)
    }

    private mutating func readRepetition(
        _ sign: Unicode.Scalar, of nodes: inout [PatternNode]
    ) throws(PatternError) {
        guard let (least, most) = try readBounds(sign) else { return nodes.append(.scalar(sign.value)) }
        switch nodes.last {
        case nil, .anchor: throw PatternError(problem: "nothing to repeat")
        case .repetition: throw PatternError(problem: "multiple repeat")
        case let node?:
            let appetite: PatternAppetite = tokens.take("?") ? .lazy : tokens.take("+") ? .possessive : .greedy
            nodes[nodes.count - 1] = .repetition(node, least: least, most: most, appetite)
        }
    }

    /// How often, or `nil` where a brace is just a brace.
    private mutating func readBounds(_ sign: Unicode.Scalar) throws(PatternError) -> (Int, Int?)? {
        switch sign {
        case "?": return (0, 1)
        case "*": return (0, nil)
        case "+": return (1, nil)
        default: break
        }
        guard tokens.next != "}" else { return nil }
        let start = tokens.place
        let least = tokens.take(.max, of: "0123456789")
        let most = tokens.take(",") ? tokens.take(.max, of: "0123456789") : least
        guard tokens.take("}") else {
            tokens.place = start
            return nil
        }
        let bounds = (try bound(least) ?? 0, try bound(most))
        if let most = bounds.1, most < bounds.0 {
            throw PatternError(problem: "min repeat greater than max repeat")
        }
        return bounds
    }

    private func bound(_ digits: String) throws(PatternError) -> Int? {
        guard !digits.isEmpty else { return nil }
        // MAXREPEAT of CPython is 2^32 - 1.
        guard let number = Int(digits), number < 0xFFFF_FFFF else {
            throw PatternError(problem: "the repetition number is too large")
        }
        return number
    }
}
