/// The evaluation context and the conditions of a source, with a tester's changes.
public struct SourceEvaluation: Sendable, Hashable {
    /// A member of the context.
    public struct Member: Sendable, Hashable {
        /// The member's name.
        public let name: String
        /// The member's value as JSON; `nil` if the tester leaves out the member of the project file.
        public let value: String?
        /// The project file's value; `nil` if there is none.
        public let base: String?
        /// `true` if the tester changed the value, `false` if it is the value of the project file.
        public let isOwn: Bool

        /// A member.
        public init(name: String, value: String?, base: String?, isOwn: Bool) {
            self.name = name
            self.value = value
            self.base = base
            self.isOwn = isOwn
        }

        /// The edit that removes the tester's value, or else leaves out the member of the project file.
        public var removal: ContextEdit { isOwn ? .restore(.attribute, name) : .set(name: name, value: nil) }

        /// The value as text to edit: a string without its quotes.
        public var text: String { value.map { ContextText.shown($0) } ?? "" }
    }

    /// The source as written in the settings, without secrets.
    public let source: String
    /// The name of the source in what leaves the machine: not the absolute path of a file.
    package var portableName: String
    /// The context: members of the project file, then members that the tester added; `nil` if the source has no
    /// context.
    public let context: [Member]?
    /// The conditions in order of precedence, then forced conditions that no longer exist.
    public private(set) var conditions: [RemoteCondition]
    /// For each condition, the number of flags that have a value for it.
    public let flagCounts: [Int]
    /// The conditions that the project file forces.
    public let projectDecisions: Set<String>
    /// Whether the tester has changed anything, even a condition that no longer exists.
    public let isChanged: Bool

    /// The evaluation of a source.
    ///
    /// - Parameters:
    ///   - decisions: the tester's forced conditions.
    ///   - document: the source's document; `nil` if unknown.
    public init(
        source: String, context: [Member]?, projectDecisions: Set<String> = [],
        decisions: [ContextOverride.Decision] = [], isChanged: Bool = false, document: RemoteDocument?
    ) {
        self.isChanged = isChanged
        (self.source, portableName) = (source, FilePath.portable(source))
        self.projectDecisions = projectDecisions
        self.context = context
        let current = document?.conditions ?? []
        let missing = decisions.filter { decision in
            decision.applies != nil && !current.contains { $0.name.string == decision.condition }
        }
        conditions = document == nil ? [] : current + missing.map(RemoteCondition.init(missing:))
        var counts: [FlagText: Int] = [:]
        for condition in (document?.conditionsByKey ?? [:]).values.joined() {
            counts[condition.name, default: 0] += 1
        }
        flagCounts = conditions.map { counts[$0.name] ?? 0 }
    }

    /// The evaluation after edits that force conditions or leave them to their rules. Other edits need an evaluation by
    /// the source.
    public func deciding(by edits: [ContextEdit]) -> SourceEvaluation {
        var result = self
        for edit in edits {
            switch edit {
            case .decide(let name, let applies): result.decide(name, applies)
            case .restore(.condition, let name): result.decide(name, nil)
            case .set, .restore, .reset: break
            }
        }
        return result
    }

    private mutating func decide(_ name: String, _ applies: Bool?) {
        guard let index = conditions.firstIndex(where: { $0.name.string == name }) else { return }
        conditions[index].forced = applies
    }

    /// Whether the source has a context or conditions, or the tester has changed something.
    public var isOfUse: Bool { context != nil || !conditions.isEmpty || isChanged }

    /// The edit that forces a condition to apply or not to apply. If `applies` is `nil`, the edit leaves the condition
    /// to its rule.
    public func decision(on condition: FlagText, _ applies: Bool?) -> ContextEdit {
        let name = condition.string
        let isRestoring = applies == nil && !projectDecisions.contains(name)
        return isRestoring ? .restore(.condition, name) : .decide(condition: name, applies: applies)
    }
}

extension [SourceEvaluation] {
    /// The name here of the source that a name in a file of any machine means; the name itself if no source is open that
    /// it means, or several are.
    package func localName(of name: String) -> String { source(named: name)?.source ?? name }

    /// The name, in what leaves the machine, of the source that a name means, even of one that is not open.
    package func portableName(of name: String) -> String {
        source(named: name)?.portableName ?? FilePath.portable(name)
    }

    /// The source of that name here, else the only one with that portable name. Of an absolute path of another machine,
    /// which earlier versions wrote, the file name counts.
    private func source(named name: String) -> SourceEvaluation? {
        if let same = first(where: { FlagText($0.source) == FlagText(name) }) { return same }
        func isPath(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: "/") }
        let others = filter {
            $0.portableName == name
                || isPath(name) && isPath($0.source) && FilePath.name(of: $0.source) == FilePath.name(of: name)
        }
        return others.count == 1 ? others[0] : nil
    }
}

/// Converts values of an evaluation context to and from typed text.
public enum ContextText {
    /// The names of members that are always texts, such as the names that services use for user ids.
    private static let textNames: Set<String> = [
        "targetingKey", "key", "kind", "name", "userId", "sessionId", "environment", "appName", "randomization_id",
        "randomizationId", "matchingKey", "bucketingKey", "trafficType",
    ]

    /// The typed text as JSON: whole numbers, `true`, `false`, and JSON in quotes, braces or brackets are parsed; any
    /// other text is a string. `18.10` is a string, as it may be a version.
    ///
    /// - Parameter known: the current value, as JSON. If it is a string, typed numbers, `true` and `false` become
    ///   strings, too.
    public static func json(_ typed: String, for name: String, known: String? = nil) -> String {
        let isText = textNames.contains(name) || known?.hasPrefix("\"") == true
        let value = try? JSONDocument(parsing: Array(typed.utf8)).root
        switch value?.kind {
        case .string?, .array?, .object?: return JSONSpacing.compact(typed) ?? typed
        case .bool? where !isText: return typed.trimmed
        case .number? where !isText:
            let spelling = typed.trimmed
            if let whole = Int(spelling), String(whole) == spelling { return spelling }
        default: break
        }
        return JSONOutput.quoted(typed)
    }

    /// The text that a user types for a JSON value: a string without its quotes, if ``json(_:for:known:)`` restores the
    /// quotes.
    ///
    /// - Parameter name: the member's name; by default, the name of a member that is always a text.
    public static func shown(_ json: String, for name: String = "key") -> String {
        guard json.hasPrefix("\""), let text = try? JSONDocument(parsing: Array(json.utf8)).root.text?.string else {
            return json
        }
        return self.json(text, for: name) == json ? text : json
    }
}
