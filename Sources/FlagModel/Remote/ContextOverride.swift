/// A tester's changes to the evaluation context and the conditions of one source. They win over the project file.
public struct ContextOverride: Sendable, Hashable {
    /// A member of the context.
    public struct Member: Sendable, Hashable {
        /// The member's name.
        public let name: String
        /// The member's value as JSON; `nil` if the project file's member is left out.
        public let value: String?

        /// A member.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// A forced condition.
    public struct Decision: Sendable, Hashable {
        /// The condition's name.
        public let condition: String
        /// `true` if the condition is forced to apply, `false` if it is forced not to apply.
        public let applies: Bool

        /// A decision.
        public init(condition: String, applies: Bool) {
            self.condition = condition
            self.applies = applies
        }
    }

    /// The changed members of the context, in the order in which they were set.
    public var members: [Member] = []
    /// The forced conditions, in the order in which they were forced.
    public var decisions: [Decision] = []
    /// The conditions that the project file forces, but the tester leaves to their rules.
    public var leftToRule: [String] = []

    /// An empty override.
    public init() {}

    /// Whether nothing is overridden.
    public var isEmpty: Bool { members.isEmpty && decisions.isEmpty && leftToRule.isEmpty }

    /// Applies an edit.
    public mutating func apply(_ edit: ContextEdit) {
        switch edit {
        case .set(let name, let value): put(Member(name: name, value: value))
        case .unset(let name): put(Member(name: name, value: nil))
        case .restore(let name): members.removeAll { $0.name == name }
        case .decide(let condition, let applies):
            removeDecision(on: condition)
            decisions.append(Decision(condition: condition, applies: applies))
        case .leaveToRule(let condition, let isSetByProject):
            removeDecision(on: condition)
            if isSetByProject { leftToRule.append(condition) }
        case .reset: self = ContextOverride()
        }
    }

    private mutating func put(_ member: Member) {
        if let index = members.firstIndex(where: { $0.name == member.name }) {
            members[index] = member
        } else {
            members.append(member)
        }
    }

    private mutating func removeDecision(on condition: String) {
        decisions.removeAll { $0.condition == condition }
        leftToRule.removeAll { $0 == condition }
    }
}

/// An edit of a tester's override.
public enum ContextEdit: Sendable, Hashable {
    /// Sets a member to a JSON value.
    case set(name: String, value: String)
    /// Leaves out a member of the project file.
    case unset(name: String)
    /// Restores a member to the project file's value, or removes it if there is none.
    case restore(name: String)
    /// Forces a condition.
    case decide(condition: String, applies: Bool)
    /// Leaves a condition to its rule, even if the project file forces it.
    case leaveToRule(condition: String, isSetByProject: Bool)
    /// Removes the whole override.
    case reset
}

/// Edits of a tester's override for one source.
public struct ContextChange: Sendable, Hashable {
    /// The source as written in the settings, without secrets.
    public let source: String
    /// The edits, in order.
    public let edits: [ContextEdit]

    /// A change.
    public init(source: String, edits: [ContextEdit]) {
        self.source = source
        self.edits = edits
    }
}
