/// A condition by which a source chooses the value of a flag, and the condition's result.
public struct RemoteCondition: Sendable, Hashable {
    /// The result of a condition's rule, whether or not it is forced.
    public enum Result: String, Sendable, CaseIterable {
        /// The condition applies.
        case applies
        /// The condition does not apply.
        case doesNotApply
        /// The rule cannot be evaluated on this machine, so the condition does not apply unless it is forced.
        case unknown
    }

    /// The name by which flags refer to the condition.
    public let name: FlagText
    /// The rule, as the service spells it or in words.
    public let rule: String
    /// The result of the rule.
    public let result: Result
    /// The reason for the result, in a few words such as `platform is "ios", wanted "ios"`; may be empty.
    public let why: String
    /// The members of an evaluation context that the rule depends on, if they are known.
    public let wants: [String]
    /// The forced result; `nil` if the rule decides.
    public internal(set) var forced: Bool?

    /// A condition.
    public init(
        name: FlagText, rule: String, result: Result, why: String = "", wants: [String] = [], forced: Bool? = nil
    ) {
        self.wants = wants
        self.name = name
        self.rule = rule
        self.result = result
        self.why = why
        self.forced = forced
    }

    /// A forced condition that the source no longer has. The decision is still saved.
    init(missing decision: ContextOverride.Decision) {
        self.init(
            name: FlagText(decision.condition), rule: "The source no longer has this condition.",
            result: .doesNotApply, why: "the source no longer has this condition", forced: decision.applies)
    }

    /// Whether the condition applies: the forced result, or else the result of the rule.
    public var applies: Bool { forced ?? (result == .applies) }

    /// The condition's state in words, such as `on, by hand`.
    public var word: String {
        switch (forced, result) {
        case (true?, _): "on, by hand"
        case (false?, _): "off, by hand"
        case (nil, .applies): "applies"
        case (nil, .doesNotApply): "does not apply"
        case (nil, .unknown): "unknown, so off"
        }
    }
}

/// A condition in the evaluation of one flag: the first condition that applies decides the value.
public struct ConditionStep: Sendable, Hashable {
    /// The effect of the condition on the flag.
    public enum Part: String, Sendable, CaseIterable {
        /// The condition is the first that applies.
        case decides
        /// The condition does not apply, and no earlier one does.
        case passedOver
        /// An earlier condition decides.
        case notEvaluated
    }

    /// The condition.
    public let condition: RemoteCondition
    /// The condition's effect on the flag.
    public let part: Part

    /// The conditions of a flag in their order, each with its effect.
    static func steps(_ conditions: [RemoteCondition]) -> [ConditionStep] {
        var isDecided = false
        return conditions.map { condition in
            defer { isDecided = isDecided || condition.applies }
            let part: Part = isDecided ? .notEvaluated : condition.applies ? .decides : .passedOver
            return ConditionStep(condition: condition, part: part)
        }
    }

    /// ``word`` and, if it is not empty, ``why``.
    public var words: [String] { [word, why].filter { !$0.isEmpty } }

    /// The effect in words, such as `decides: on, by hand`.
    public var word: String {
        switch part {
        case .decides: condition.forced == nil ? "decides" : "decides: \(condition.word)"
        case .passedOver: condition.word
        case .notEvaluated: "not evaluated"
        }
    }

    /// The reason for the effect, in a few words; may be empty.
    public var why: String { part == .notEvaluated || condition.forced != nil ? "" : condition.why }
}
