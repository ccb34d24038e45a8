/// A source's evaluation context and conditions, which a tester can change.
public struct SourceEvaluation: Sendable, Hashable {
    /// A member of the context.
    public struct Member: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value as JSON; `nil` if the tester has left out the project file's.
        public let value: String?
        /// The project file's value; `nil` if there is none.
        public let base: String?
        /// Whether it is the tester's rather than the project file's.
        public let isOwn: Bool

        /// A member.
        public init(name: String, value: String?, base: String?, isOwn: Bool) {
            self.name = name
            self.value = value
            self.base = base
            self.isOwn = isOwn
        }

        /// The edit that clears it: the tester's own override, else the project file's value.
        public var removal: ContextEdit { isOwn ? .restore(name: name) : .leaveOut(name: name) }

        /// The value for editing on a line: a text without its quotes.
        public var text: String { value.map { ContextText.shown($0) } ?? "" }
    }

    /// The source as settings name it, without secrets.
    public let source: String
    /// The context, in the order of the project file and then of the tester's own members; `nil` if the source has
    /// none.
    public let context: [Member]?
    /// The conditions in order of precedence, and after them forced ones that no longer exist.
    public private(set) var conditions: [RemoteCondition]
    /// The number of flags with a value for each condition.
    public let flagCounts: [Int]
    /// The conditions that the project file forces.
    public let projectDecisions: Set<String>
    /// Whether the tester has overridden anything, even a condition that no longer exists.
    public let isChanged: Bool

    /// The evaluation of a source.
    ///
    /// - Parameters:
    ///   - decisions: the tester's forced conditions.
    ///   - document: the source's document; `nil` if it is not known.
    public init(
        source: String, context: [Member]?, projectDecisions: Set<String> = [],
        decisions: [OwnContext.Decision] = [], isChanged: Bool = false, document: RemoteDocument?
    ) {
        self.isChanged = isChanged
        self.source = source
        self.projectDecisions = projectDecisions
        self.context = context
        let known = document?.conditions ?? []
        let lost =
            document == nil
            ? [] : decisions.filter { decision in !known.contains { $0.name.string == decision.condition } }
        conditions = known + lost.map(RemoteCondition.init(lost:))
        var counts: [FlagText: Int] = [:]
        for names in document?.chains.values ?? [:].values { for name in names { counts[name, default: 0] += 1 } }
        flagCounts = conditions.map { counts[$0.name] ?? 0 }
    }

    /// The evaluation after edits that force conditions or leave them to their rules. Other edits need an evaluation by
    /// the source.
    public func deciding(by edits: [ContextEdit]) -> SourceEvaluation {
        var result = self
        for edit in edits {
            switch edit {
            case .decide(let name, let holds): result.decide(name, holds)
            case .leaveToRule(let name, _): result.decide(name, nil)
            case .set, .leaveOut, .restore, .reset: break
            }
        }
        return result
    }

    private mutating func decide(_ name: String, _ holds: Bool?) {
        guard let index = conditions.firstIndex(where: { $0.name.string == name }) else { return }
        conditions[index] = conditions[index].deciding(holds)
    }

    /// Whether there is anything to show or to change.
    public var isOfUse: Bool { context != nil || !conditions.isEmpty || isChanged }

    /// The edit that forces a condition, or leaves it to its rule if `nil`.
    public func decision(on condition: FlagText, _ holds: Bool?) -> ContextEdit {
        let name = condition.string
        return holds.map { .decide(condition: name, holds: $0) }
            ?? .leaveToRule(condition: name, isDecidedByProject: projectDecisions.contains(name))
    }

}

/// A context value as typed text.
public enum ContextText {
    /// Members that are always texts: user ids, in all services.
    private static let textNames: Set<String> = [
        "targetingKey", "key", "kind", "name", "userId", "sessionId", "environment", "appName", "randomization_id",
        "randomizationId", "matchingKey", "bucketingKey", "trafficType",
    ]

    /// The typed text as JSON: whole numbers, `true`, `false`, and JSON in quotes, braces or brackets are parsed, all
    /// else is a text. `18.10` is a text, as it may be a version.
    ///
    /// - Parameter known: the value that it replaces; a text stays a text.
    public static func json(_ typed: String, for name: String, known: String? = nil) -> String {
        let isText = textNames.contains(name) || known?.hasPrefix("\"") == true
        let value = try? JSONDocument(parsing: Array(typed.utf8)).root
        switch value?.kind {
        case .string?, .array?, .object?: return JSONSpacing.compact(typed) ?? typed
        case .bool? where !isText: return typed.trimmedOfSpaces
        case .number? where !isText:
            let spelling = typed.trimmedOfSpaces
            if let whole = Int(spelling), String(whole) == spelling { return spelling }
        default: break
        }
        return JSONOutput.quoted(typed)
    }

    /// A JSON value as it would be typed.
    ///
    /// - Parameter name: the member's name, if it is typed as new; by default it replaces the value, as a text stays
    ///   one.
    public static func shown(_ json: String, for name: String = "key") -> String {
        guard json.hasPrefix("\""), let text = try? JSONDocument(parsing: Array(json.utf8)).root.text?.string else {
            return json
        }
        return self.json(text, for: name) == json ? text : json
    }
}

extension String {
    fileprivate var trimmedOfSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
