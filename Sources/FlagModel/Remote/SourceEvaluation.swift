/// For whom a source's flags are evaluated, and by which conditions: what a tester can change.
public struct SourceEvaluation: Sendable, Hashable {
    /// A member of the context.
    public struct Member: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value as JSON; `nil` where the tester has left out what the project file says.
        public let value: String?
        /// What the project file says; `nil` where it says nothing.
        public let base: String?
        /// Whether the tester has said so, and not the project file.
        public let isOwn: Bool

        /// A member.
        public init(name: String, value: String?, base: String?, isOwn: Bool) {
            self.name = name
            self.value = value
            self.base = base
            self.isOwn = isOwn
        }

        /// What takes it back a step: one's own decision, else what the project file says.
        public var removal: ContextEdit { isOwn ? .restore(name: name) : .leaveOut(name: name) }

        /// The value as a line for editing has it: a text without its quotes.
        public var text: String { value.map { ContextText.shown($0) } ?? "" }
    }

    /// The source as settings name it, without secrets.
    public let source: String
    /// The context, in the order of the project file and then of the tester's own members; `nil` where the source takes
    /// none.
    public let context: [Member]?
    /// The conditions in the order in which they decide, and behind them those that were decided by hand and are not there any
    /// more.
    public private(set) var conditions: [RemoteCondition]
    /// For each condition how many flags have a value for it.
    public let flagCounts: [Int]
    /// The conditions that the project file decides.
    public let projectDecisions: Set<String>
    /// Whether the tester has decided anything, be it about a condition that is not there any more.
    public let isChanged: Bool

    /// The evaluation of a source.
    ///
    /// - Parameters:
    ///   - decisions: what the tester has decided by hand.
    ///   - document: what the source says; `nil` where that is not known.
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

    /// The same once edits are made that decide conditions or leave them to their rules. What comes of the others, only who
    /// makes them can tell.
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

    /// Whether there is anything to look at or to change.
    public var isOfUse: Bool { context != nil || !conditions.isEmpty || isChanged }

    /// What decides a condition by hand, or leaves it to its rule where that is `nil`.
    public func decision(on condition: FlagText, _ holds: Bool?) -> ContextEdit {
        let name = condition.string
        return holds.map { .decide(condition: name, holds: $0) }
            ?? .leaveToRule(condition: name, isDecidedByProject: projectDecisions.contains(name))
    }

}

/// A value of a context as somebody types it.
public enum ContextText {
    /// Members that are texts whatever they look like: who somebody is, in all services.
    private static let textNames: Set<String> = [
        "targetingKey", "key", "kind", "name", "userId", "sessionId", "environment", "appName", "randomization_id",
        "randomizationId", "matchingKey", "bucketingKey", "trafficType",
    ]

    /// What somebody who types this means, as JSON: whole numbers, `true`, `false`, and JSON in quotes, braces or brackets
    /// are taken as such, all else as a text. `18.10` is a text, as it may be a version.
    ///
    /// - Parameter known: the value that it replaces; a text stays one, whatever it looks like.
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

    /// A value of JSON as somebody would type it.
    ///
    /// - Parameter name: the member's name, where it is typed anew; left out where it replaces the value, as a text stays one.
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
