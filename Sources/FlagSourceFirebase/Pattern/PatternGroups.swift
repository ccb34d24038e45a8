/// The groups of an expression while it is read.
struct PatternGroups {
    /// The width of each group, from the first; `nil` while it is open.
    private(set) var widths: [PatternWidth?] = []
    private var numbers: [String: Int] = [:]
    /// How many groups stood before the lookbehind that is being read.
    private var countBeforeLookbehind: Int?
    private var highestCondition = 0

    var count: Int { widths.count }

    mutating func open(_ name: String?) throws(PatternError) -> Int {
        widths.append(nil)
        if let name {
            guard numbers.updateValue(count, forKey: name) == nil else {
                throw PatternError(problem: "redefinition of group name \(name)")
            }
        }
        return count
    }

    mutating func close(_ group: Int, _ node: PatternNode) { widths[group - 1] = PatternWidth(node, self) }

    func number(of name: String) throws(PatternError) -> Int {
        guard let number = numbers[name] else { throw PatternError(problem: "unknown group name \(name)") }
        return number
    }

    /// Whether text of a group can be referred to here.
    func checkReference(_ group: Int) throws(PatternError) {
        guard isClosed(group) else { throw PatternError(problem: "cannot refer to an open group") }
        try checkLookbehind(group)
    }

    mutating func addCondition(on group: Int) throws(PatternError) {
        highestCondition = max(highestCondition, group)
        try checkLookbehind(group)
    }

    /// A condition may name a group that comes later, but one has to come.
    func checkConditions() throws(PatternError) {
        if highestCondition > count { throw PatternError(problem: "invalid group reference \(highestCondition)") }
    }

    /// Marks that a lookbehind begins; the answer is for ``endLookbehind(_:)``.
    mutating func beginLookbehind() -> Int? {
        defer { countBeforeLookbehind = countBeforeLookbehind ?? count }
        return countBeforeLookbehind
    }

    mutating func endLookbehind(_ outer: Int?) { countBeforeLookbehind = outer }

    private func isClosed(_ group: Int) -> Bool { 1...max(1, count) ~= group && count > 0 && widths[group - 1] != nil }

    private func checkLookbehind(_ group: Int) throws(PatternError) {
        guard let countBeforeLookbehind else { return }
        guard isClosed(group) else { throw PatternError(problem: "cannot refer to an open group") }
        if group > countBeforeLookbehind {
            throw PatternError(problem: "cannot refer to group defined in the same lookbehind subpattern")
        }
    }
}

/// How many scalars a part of an expression takes, at least and at most. A lookbehind needs one number.
struct PatternWidth {
    private static let limit = 1 << 40

    var least: Int
    var most: Int

    /// - Parameter groups: the widths of those that it refers to.
    init(_ node: PatternNode, _ groups: PatternGroups) {
        switch node {
        case .scalar, .any, .set: self.init(1, 1)
        case .anchor, .look: self.init(0, 0)
        case .sequence(let nodes):
            self = nodes.reduce(PatternWidth(0, 0)) { sum, node in
                let width = PatternWidth(node, groups)
                return PatternWidth(sum.least + width.least, sum.most + width.most)
            }
        case .choice(let nodes):
            let widths = nodes.map { PatternWidth($0, groups) }
            self.init(widths.map(\.least).min() ?? 0, widths.map(\.most).max() ?? 0)
        case .group(_, _, let node), .atomic(let node): self.init(node, groups)
        case .repetition(let node, let least, let most, _):
            let width = PatternWidth(node, groups)
            self.init(
                Self.product(width.least, least), width.most == 0 ? 0 : Self.product(width.most, most ?? Self.limit))
        case .reference(let group):
            let width = groups.widths[group - 1]
            self.init(width?.least ?? 0, width?.most ?? 0)
        case .conditional(_, let yes, let no):
            let first = PatternWidth(yes, groups)
            let second = no.map { PatternWidth($0, groups) }
            self.init(min(first.least, second?.least ?? 0), max(first.most, second?.most ?? 0))
        }
    }

    private init(_ least: Int, _ most: Int) {
        self.least = min(least, Self.limit)
        self.most = min(most, Self.limit)
    }

    private static func product(_ left: Int, _ right: Int) -> Int {
        let (product, overflows) = left.multipliedReportingOverflow(by: right)
        return overflows ? limit : product
    }
}
