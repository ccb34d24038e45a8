public import FlagModel

/// The question before several overrides are cleared at once, with the list of them.
public struct ClearQuestion: Sendable, Equatable {
    /// One override that would go.
    public struct Line: Sendable, Equatable {
        /// The flag's key.
        public let key: String
        /// The override.
        public let value: String
        /// What holds without it; `nil` when no layer has a value then.
        public let valueAfter: String?
    }

    /// What is cleared, as the question names it.
    public let scope: String
    /// The overrides, in the order of the list.
    public let lines: [Line]
    /// What is done on yes.
    public let edits: [OverrideEdit]
    /// The index of the first line shown.
    public internal(set) var top = 0

    init(scope: String, facts: [FlagFacts], edits: [OverrideEdit]) {
        self.scope = scope
        self.edits = edits
        lines = facts.map { flag in
            Line(key: flag.key, value: flag.override?.value ?? "", valueAfter: flag.valueWithoutOverride)
        }
    }
}

/// The sheet that explains one flag where the screen has no room for a detail pane.
public struct ExplanationSheet: Sendable, Equatable {
    /// The flag's key.
    public let key: FlagText
    /// Whether long JSON is shown whole.
    public internal(set) var isUnfolded = false
    /// The index of the first line shown.
    public internal(set) var top = 0
}
