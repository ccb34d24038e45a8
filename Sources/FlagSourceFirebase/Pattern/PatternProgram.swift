/// A regular expression as steps for ``PatternSearch``.
struct PatternProgram {
    /// One step; places are positions among the steps.
    enum Step {
        case scalar(UInt32)
        case notNewline
        case anyScalar
        case set(ScalarSet)
        case anchor(PatternAnchor, PatternFlags)
        /// Goes on at the first place, and at the second one if that leads nowhere.
        case split(Int, Int)
        case jump(Int)
        /// Keeps where the text is in a register.
        case keep(Int)
        /// Goes to a place unless the text is still where a register says.
        case jumpIfMoved(register: Int, Int)
        case reference(group: Int, PatternFlags)
        /// The steps up to `end` find something here, or do not; behind a place if there is a width.
        case look(end: Int, behind: Int?, isNegative: Bool)
        /// The steps up to `end` are tried once.
        case atomic(end: Int)
        case jumpUnlessSet(group: Int, Int)
        case found
    }

    /// Larger expressions, counted repetitions written out, are refused.
    private static let sizeLimit = 20_000

    private(set) var steps: [Step] = []
    /// Two for each group, where it starts and ends, and one for each repetition of what may be empty.
    private(set) var registerCount: Int

    /// Reads an expression in the dialect of Python's `re`.
    init(_ text: String) throws(PatternError) {
        let (node, flags, groups) = try PatternReader.read(text)
        registerCount = 2 * groups
        try add(node, flags)
        try add(.found)
    }

    private mutating func add(_ step: Step) throws(PatternError) {
        guard steps.count < Self.sizeLimit else { throw PatternError(problem: "it is too large") }
        steps.append(step)
    }

    /// Adds a step that is known only later, and tells its place.
    private mutating func hold() throws(PatternError) -> Int {
        try add(.found)
        return steps.count - 1
    }

    private mutating func add(_ node: PatternNode, _ flags: PatternFlags) throws(PatternError) {
        switch node {
        case .scalar(let value): try add(literal(value, flags))
        case .any: try add(flags.contains(.dotAll) ? .anyScalar : .notNewline)
        case .set(let set): try add(.set(ScalarSet(set, flags)))
        case .anchor(let anchor): try add(.anchor(anchor, flags))
        case .sequence(let nodes): for node in nodes { try add(node, flags) }
        case .choice(let nodes): try addChoice(nodes[...], flags)
        case .group(let number, let change, let node):
            if let number { try add(.keep(2 * number - 2)) }
            try add(node, flags.changed(by: change))
            if let number { try add(.keep(2 * number - 1)) }
        case .repetition(let node, let least, let most, let appetite):
            try addRepetition(node, least, most, appetite, flags)
        case .reference(let group): try add(.reference(group: group, flags))
        case .look(let behind, let isNegative, let node):
            try addInner(node, flags) { .look(end: $0, behind: behind, isNegative: isNegative) }
        case .atomic(let node): try addInner(node, flags) { .atomic(end: $0) }
        case .conditional(let group, let yes, let no): try addConditional(group, yes, no, flags)
        }
    }

    private func literal(_ value: UInt32, _ flags: PatternFlags) -> Step {
        guard flags.contains(.ignoreCase), CaseFolding.isCased(value, isASCII: flags.contains(.ascii)) else {
            return .scalar(value)
        }
        return .set(ScalarSet(PatternSet(parts: [.range(value, value)]), flags))
    }

    private mutating func addChoice(_ nodes: ArraySlice<PatternNode>, _ flags: PatternFlags) throws(PatternError) {
        var jumps: [Int] = []
        for (place, node) in zip(nodes.indices, nodes) {
            guard place < nodes.endIndex - 1 else {
                try add(node, flags)
                break
            }
            let split = try hold()
            try add(node, flags)
            jumps.append(try hold())
            steps[split] = .split(split + 1, steps.count)
        }
        for jump in jumps { steps[jump] = .jump(steps.count) }
    }

    /// Adds steps of their own and, before them, one that runs them.
    private mutating func addInner(
        _ node: PatternNode, _ flags: PatternFlags, _ step: (Int) -> Step
    ) throws(PatternError) {
        let start = try hold()
        try add(node, flags)
        try add(.found)
        steps[start] = step(steps.count)
    }

    private mutating func addConditional(
        _ group: Int, _ yes: PatternNode, _ no: PatternNode?, _ flags: PatternFlags
    ) throws(PatternError) {
        let test = try hold()
        try add(yes, flags)
        let jump = try hold()
        steps[test] = .jumpUnlessSet(group: group, steps.count)
        if let no { try add(no, flags) }
        steps[jump] = .jump(steps.count)
    }

    private mutating func addRepetition(
        _ node: PatternNode, _ least: Int, _ most: Int?, _ appetite: PatternAppetite, _ flags: PatternFlags
    ) throws(PatternError) {
        guard appetite != .possessive else {
            return try addInner(.repetition(node, least: least, most: most, .greedy), flags) { .atomic(end: $0) }
        }
        for _ in 0..<min(least, Self.sizeLimit) {
            let size = steps.count
            try add(node, flags)
            // What takes no step takes none the next time either; only steps count against the limit.
            guard steps.count > size else { break }
        }
        guard let most else { return try addLoop(node, isLazy: appetite == .lazy, flags) }
        var splits: [Int] = []
        for _ in 0..<min(most - least, Self.sizeLimit) {
            splits.append(try hold())
            try add(node, flags)
        }
        for split in splits { steps[split] = Self.split(split + 1, steps.count, isLazy: appetite == .lazy) }
    }

    /// Any number of times. What matches nothing ends the loop, which would otherwise not end.
    private mutating func addLoop(_ node: PatternNode, isLazy: Bool, _ flags: PatternFlags) throws(PatternError) {
        let register = registerCount
        registerCount += 1
        let split = try hold()
        try add(.keep(register))
        try add(node, flags)
        try add(.jumpIfMoved(register: register, split))
        steps[split] = Self.split(split + 1, steps.count, isLazy: isLazy)
    }

    private static func split(_ again: Int, _ on: Int, isLazy: Bool) -> Step {
        isLazy ? .split(on, again) : .split(again, on)
    }
}
