/// A tester's changes to the evaluation context and the conditions of one source. They win over the project file.
public struct ContextOverride: Sendable, Hashable {
    /// A member of the context.
    public struct Member: Sendable, Hashable {
        /// The member's name.
        public let name: String
        /// The member's value as JSON; `nil` if the project file's member is left out.
        public let value: String?
    }

    /// A forced condition, or one that is left to its rule.
    public struct Decision: Sendable, Hashable {
        /// The condition's name.
        public let condition: String
        /// `true` if the condition is forced to apply, `false` if it is forced not to apply; `nil` if the project file
        /// forces it, but the tester leaves it to its rule.
        public let applies: Bool?

        /// A decision.
        public init(condition: String, applies: Bool?) {
            self.condition = condition
            self.applies = applies
        }
    }

    /// The changed members of the context, in the order in which they were set.
    public var members: [Member] = []
    /// The decisions on conditions, in the order in which they were made.
    public var decisions: [Decision] = []

    /// An empty override.
    public init() {}

    /// Whether nothing is overridden.
    public var isEmpty: Bool { members.isEmpty && decisions.isEmpty }

    /// Applies an edit.
    public mutating func apply(_ edit: ContextEdit) {
        switch edit {
        case .set(let name, let value):
            let member = Member(name: name, value: value)
            if let index = members.firstIndex(where: { $0.name == name }) {
                members[index] = member
            } else {
                members.append(member)
            }
        case .decide(let condition, let applies):
            apply(.restore(.condition, condition))
            decisions.append(Decision(condition: condition, applies: applies))
        case .restore(.attribute, let name): members.removeAll { $0.name == name }
        case .restore(.condition, let name): decisions.removeAll { $0.condition == name }
        case .reset: self = ContextOverride()
        }
    }

    /// The values of the changed parts as JSON: `null` for an attribute that is left out, and for a condition that is
    /// left to its rule although the project file forces it.
    package func parts(of source: String) -> [ContextPart: String] {
        var parts: [ContextPart: String] = [:]
        for member in members { parts[ContextPart(source, .attribute, member.name)] = member.value ?? "null" }
        for decision in decisions {
            parts[ContextPart(source, .condition, decision.condition)] = decision.applies.map(String.init) ?? "null"
        }
        return parts
    }
}

extension ContextOverride {
    /// Reads an object as in a file of overrides or an export. Parts that are not valid are left out.
    package init(reading value: JSONValue) {
        if let context = value["context"], context.kind == .object {
            members = context.members.map { name, value in
                Member(name: name.string, value: value.kind == .null ? nil : value.compactJSON)
            }
        }
        guard let conditions = value["conditions"], conditions.kind == .object else { return }
        decisions = conditions.members.filter { $0.value.kind == .bool || $0.value.kind == .null }
            .map { Decision(condition: $0.key.string, applies: $0.value.bool) }
    }

    /// The object that ``init(reading:)`` reads.
    package var json: JSONOutput {
        let parts = [("context", membersJSON), ("conditions", decisionsJSON)].filter { !$1.isEmpty }
        return .object(parts.map { ($0, .object($1)) })
    }

    package var membersJSON: [(String, JSONOutput)] { members.map { ($0.name, .raw($0.value ?? "null")) } }

    package var decisionsJSON: [(String, JSONOutput)] {
        decisions.map { ($0.condition, $0.applies.map(JSONOutput.bool) ?? .null) }
    }

    /// The edits that make these changes.
    package var edits: [ContextEdit] {
        members.map { .set(name: $0.name, value: $0.value) }
            + decisions.map { .decide(condition: $0.condition, applies: $0.applies) }
    }
}

extension FlagTable<ContextOverride> {
    /// The changes with other names of the sources; those of two sources that get the same name are joined.
    package func renamed(_ newName: (String) -> String) -> FlagTable {
        FlagTable(sortedByKey.map { (newName($0.key), $0.value) }) { first, second in
            second.edits.reduce(into: first) { $0.apply($1) }
        }
    }
}

/// An edit of a tester's override.
public enum ContextEdit: Sendable, Hashable {
    /// Sets a member to a JSON value; `nil` leaves out a member of the project file.
    case set(name: String, value: String?)
    /// Forces a condition; `nil` leaves it to its rule, although the project file forces it.
    case decide(condition: String, applies: Bool?)
    /// Restores a part to what the project file says.
    case restore(ContextPart.Kind, String)
    /// Removes the whole override.
    case reset
}

extension ContextPart {
    /// The edit that sets the part to a JSON value, or restores it if there is none; see ``ContextOverride/parts(of:)``.
    package func edit(to value: String?) -> ContextEdit {
        switch (kind, value) {
        case (_, nil): .restore(kind, name.string)
        case (.attribute, let value?): .set(name: name.string, value: value == "null" ? nil : value)
        case (.condition, let value?): .decide(condition: name.string, applies: value == "null" ? nil : value == "true")
        }
    }
}

/// Edits of a tester's override for one source.
public struct ContextChange: Sendable, Hashable {
    /// The source as written in the settings, without secrets.
    public let source: String
    /// The edits, in order.
    public let edits: [ContextEdit]

    /// A change.
    public init(source: String, edits: [ContextEdit]) {
        (self.source, self.edits) = (source, edits)
    }
}
