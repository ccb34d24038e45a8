/// A tester's override for one source: its evaluation context, and which conditions apply. It wins over the project
/// file.
public struct OwnContext: Sendable, Hashable {
    /// A member of the context.
    public struct Member: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value as JSON; `nil` to leave out the project file's.
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
        /// Whether it applies.
        public let holds: Bool

        /// A decision.
        public init(condition: String, holds: Bool) {
            self.condition = condition
            self.holds = holds
        }
    }

    /// Members of the context, in the order in which they were set.
    public var members: [Member] = []
    /// Decisions, in the order in which they were made.
    public var decisions: [Decision] = []
    /// Conditions whose decisions in the project file are ignored: their rules decide again.
    public var undecided: [String] = []

    /// An empty override.
    public init() {}

    /// Whether nothing is overridden.
    public var isEmpty: Bool { members.isEmpty && decisions.isEmpty && undecided.isEmpty }

    /// Applies an edit.
    public mutating func apply(_ edit: ContextEdit) {
        switch edit {
        case .set(let name, let value): put(Member(name: name, value: value))
        case .leaveOut(let name): put(Member(name: name, value: nil))
        case .restore(let name): members.removeAll { $0.name == name }
        case .decide(let condition, let holds):
            forget(condition)
            decisions.append(Decision(condition: condition, holds: holds))
        case .leaveToRule(let condition, let isDecidedBelow):
            forget(condition)
            if isDecidedBelow { undecided.append(condition) }
        case .reset: self = OwnContext()
        }
    }

    private mutating func put(_ member: Member) {
        if let place = members.firstIndex(where: { $0.name == member.name }) {
            members[place] = member
        } else {
            members.append(member)
        }
    }

    private mutating func forget(_ condition: String) {
        decisions.removeAll { $0.condition == condition }
        undecided.removeAll { $0 == condition }
    }
}

/// An edit of a tester's override.
public enum ContextEdit: Sendable, Hashable {
    /// Sets a member to a value, which is JSON.
    case set(name: String, value: String)
    /// Leaves out a member of the project file.
    case leaveOut(name: String)
    /// Restores a member to the project file's value, or removes it if there is none.
    case restore(name: String)
    /// Forces a condition.
    case decide(condition: String, holds: Bool)
    /// Lets a condition's rule decide again, even if the project file decides it.
    case leaveToRule(condition: String, isDecidedByProject: Bool)
    /// Removes the whole override.
    case reset
}

/// Edits of a tester's override for one source.
public struct ContextChange: Sendable, Hashable {
    /// The source as settings name it, without secrets.
    public let source: String
    /// The edits, in order.
    public let edits: [ContextEdit]

    /// A change.
    public init(source: String, edits: [ContextEdit]) {
        self.source = source
        self.edits = edits
    }
}
