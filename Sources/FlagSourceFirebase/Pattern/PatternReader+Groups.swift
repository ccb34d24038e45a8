extension PatternReader {
    /// Reads a group behind its opening parenthesis; `nil` for comments and flags, which match nothing.
    ///
    /// - Parameter canSetFlags: whether this is the start of the expression.
    mutating func readGroup(isVerbose: Bool, canSetFlags: Bool) throws(PatternError) -> PatternNode? {
        guard tokens.take("?") else { return try readCapture(nil, isVerbose) }
        guard let token = tokens.take() else { throw PatternError(problem: "unexpected end of pattern") }
        guard !token.isEscaped else { throw PatternError(problem: "unknown extension ?\\\(token.scalar)") }
        switch token.scalar {
        case "P": return try readNamed(isVerbose)
        case ":": return .group(nil, PatternFlagChange(), try readInner(isVerbose))
        case ">": return .atomic(try readInner(isVerbose))
        case "=", "!": return .look(behind: nil, isNegative: token.scalar == "!", try readInner(isVerbose))
        case "<": return try readLookbehind(isVerbose)
        case "(": return try readConditional(isVerbose)
        case "#":
            while let token = tokens.take() {
                if token == PatternTokens.Token(scalar: ")", isEscaped: false) { return nil }
            }
            throw PatternError(problem: "missing ), unterminated comment")
        default: return try readFlags(token.scalar, isVerbose, canSetFlags)
        }
    }

    private mutating func readInner(_ isVerbose: Bool) throws(PatternError) -> PatternNode {
        let node = try readChoice(isVerbose: isVerbose)
        guard tokens.take(")") else { throw PatternError(problem: "missing ), unterminated subpattern") }
        return node
    }

    private mutating func readCapture(_ name: String?, _ isVerbose: Bool) throws(PatternError) -> PatternNode {
        let group = try groups.open(name)
        let node = try readInner(isVerbose)
        groups.close(group, node)
        return .group(group, PatternFlagChange(), node)
    }

    private mutating func readNamed(_ isVerbose: Bool) throws(PatternError) -> PatternNode {
        if tokens.take("<") {
            let name = try tokens.takeName(upTo: ">")
            try Self.checkName(name)
            return try readCapture(name, isVerbose)
        }
        guard tokens.take("=") else { throw PatternError(problem: "unknown extension ?P") }
        let name = try tokens.takeName(upTo: ")")
        try Self.checkName(name)
        let group = try groups.number(of: name)
        try groups.checkReference(group)
        return .reference(group)
    }

    private mutating func readLookbehind(_ isVerbose: Bool) throws(PatternError) -> PatternNode {
        let isNegative = tokens.next == "!"
        guard tokens.take("=") || tokens.take("!") else { throw PatternError(problem: "unknown extension ?<") }
        let outer = groups.beginLookbehind()
        let node = try readInner(isVerbose)
        groups.endLookbehind(outer)
        let width = PatternWidth(node, groups)
        guard width.least == width.most else {
            throw PatternError(problem: "look-behind requires fixed-width pattern")
        }
        return .look(behind: width.least, isNegative: isNegative, node)
    }

    private mutating func readConditional(_ isVerbose: Bool) throws(PatternError) -> PatternNode {
        let name = try tokens.takeName(upTo: ")")
        let group = Self.isName(name) ? try groups.number(of: name) : PythonInteger(name)?.int
        guard let group, group > 0 else { throw PatternError(problem: "bad group number") }
        try groups.addCondition(on: group)
        let yes = try readSequence(isVerbose: isVerbose)
        let no = tokens.take("|") ? try readSequence(isVerbose: isVerbose) : nil
        guard tokens.next != "|" else {
            throw PatternError(problem: "conditional backref with more than two branches")
        }
        guard tokens.take(")") else { throw PatternError(problem: "missing ), unterminated subpattern") }
        return .conditional(group, yes, no)
    }

    /// Whether Python takes it for an identifier.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first else { return false }
        return (first == "_" || first.properties.isXIDStart)
            && name.unicodeScalars.dropFirst().allSatisfy { $0.properties.isXIDContinue }
    }

    private static func checkName(_ name: String) throws(PatternError) {
        if !isName(name) { throw PatternError(problem: "bad character in group name") }
    }

    /// `(?i)` for the whole expression, or `(?i-s:…)` for a part.
    private mutating func readFlags(
        _ first: Unicode.Scalar, _ isVerbose: Bool, _ canSetFlags: Bool
    ) throws(PatternError) -> PatternNode? {
        var change = PatternFlagChange()
        var end: Unicode.Scalar? = first
        if first != "-" {
            end = try readLetters(from: first, endings: ")-:", into: &change.added)
            if change.added.isSuperset(of: .types) {
                throw PatternError(problem: "bad inline flags: flags 'a', 'u' and 'L' are incompatible")
            }
        }
        guard end != ")" else {
            guard canSetFlags else {
                throw PatternError(problem: "global flags not at the start of the expression")
            }
            setGlobal(change.added)
            return nil
        }
        if end == "-" {
            _ = try readLetters(from: takeUnescaped(), endings: ":", into: &change.removed)
            guard change.removed.isDisjoint(with: .types), change.removed.isDisjoint(with: change.added) else {
                throw PatternError(problem: "bad inline flags")
            }
        }
        let verbose = (isVerbose || change.added.contains(.verbose)) && !change.removed.contains(.verbose)
        return .group(nil, change, try readInner(verbose))
    }

    private mutating func takeUnescaped() -> Unicode.Scalar? {
        tokens.take().flatMap { $0.isEscaped ? nil : $0.scalar }
    }

    private mutating func readLetters(
        from first: Unicode.Scalar?, endings: String, into flags: inout PatternFlags
    ) throws(PatternError) -> Unicode.Scalar {
        var letter = first
        repeat {
            guard let flag = PatternFlags(letter) else {
                throw PatternError(problem: letter.map { "unknown flag or extension ?\($0)" } ?? "missing flag")
            }
            flags.insert(flag)
            letter = takeUnescaped()
            if let letter, endings.unicodeScalars.contains(letter) { return letter }
        } while true
    }
}
