/// What a tester has decided about one source: for whom its flags are evaluated, and which conditions hold. It lies over
/// what the project file says.
public struct OwnContext: Sendable, Hashable {
    /// A member of the context.
    public struct Member: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value as JSON; `nil` to leave out what the project file says.
        public let value: String?

        /// A member.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// A condition that was decided by hand.
    public struct Decision: Sendable, Hashable {
        /// The condition's name.
        public let condition: String
        /// Whether it holds.
        public let holds: Bool

        /// A decision.
        public init(condition: String, holds: Bool) {
            self.condition = condition
            self.holds = holds
        }
    }

    /// Members of the context, in the order in which they were named.
    public var members: [Member] = []
    /// Decisions, in the order in which they were made.
    public var decisions: [Decision] = []
    /// Whether the decisions of the project file do not count, one by one: conditions whose rules decide again.
    public var undecided: [String] = []

    /// Nothing decided.
    public init() {}

    /// Whether nothing is decided.
    public var isEmpty: Bool { members.isEmpty && decisions.isEmpty && undecided.isEmpty }

    /// Makes an edit.
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

/// A change of what a tester has decided about a source.
public enum ContextEdit: Sendable, Hashable {
    /// Gives a member a value, which is JSON.
    case set(name: String, value: String)
    /// Leaves out a member that the project file has.
    case leaveOut(name: String)
    /// Has a member as the project file says, or not at all where it says nothing.
    case restore(name: String)
    /// Decides a condition by hand.
    case decide(condition: String, holds: Bool)
    /// Lets a condition's rule decide again, also where the project file decides it.
    case leaveToRule(condition: String, isDecidedByProject: Bool)
    /// Takes everything back.
    case reset
}

/// Edits of what a tester has decided about one source.
public struct ContextChange: Sendable, Hashable {
    /// The source as settings name it, without secrets.
    public let source: String
    /// Made one after the other.
    public let edits: [ContextEdit]

    /// A change.
    public init(source: String, edits: [ContextEdit]) {
        self.source = source
        self.edits = edits
    }
}
