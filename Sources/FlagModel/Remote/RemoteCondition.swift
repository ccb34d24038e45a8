/// A condition by which a source chooses among values, and its result.
public struct RemoteCondition: Sendable, Hashable {
    /// The result of the rule, without forced decisions.
    public enum Verdict: String, Sendable, CaseIterable {
        /// It applies.
        case holds
        /// It does not.
        case doesNotHold
        /// It cannot be evaluated here, so it does not apply unless it is forced.
        case unknown
    }

    /// The name that values refer to.
    public let name: FlagText
    /// The rule, as the service spells it or in words.
    public let rule: String
    /// The result of the rule.
    public let verdict: Verdict
    /// Why, in a few words such as `platform is "ios", wanted "ios"`; may be empty.
    public let why: String
    /// The members of a context that the rule depends on, if they are known.
    public let wants: [String]
    /// The forced result; `nil` if the rule decides.
    public let forced: Bool?

    /// A condition.
    public init(
        name: FlagText, rule: String, verdict: Verdict, why: String = "", wants: [String] = [], forced: Bool? = nil
    ) {
        self.wants = wants
        self.name = name
        self.rule = rule
        self.verdict = verdict
        self.why = why
        self.forced = forced
    }

    /// A forced condition that no longer exists. It would apply again if it came back.
    init(lost decision: OwnContext.Decision) {
        self.init(
            name: FlagText(decision.condition), rule: "The source no longer has this condition.",
            verdict: .doesNotHold, why: "the source no longer has this condition", forced: decision.holds)
    }

    /// The condition, forced or not.
    func deciding(_ forced: Bool?) -> RemoteCondition {
        RemoteCondition(name: name, rule: rule, verdict: verdict, why: why, wants: wants, forced: forced)
    }

    /// Whether its values apply: the forced result, else that of the rule.
    public var holds: Bool { forced ?? (verdict == .holds) }

    /// Its state, such as `on, by hand`.
    public var word: String {
        switch (forced, verdict) {
        case (true?, _): "on, by hand"
        case (false?, _): "off, by hand"
        case (nil, .holds): "applies"
        case (nil, .doesNotHold): "does not apply"
        case (nil, .unknown): "unknown, so off"
        }
    }
}

/// A condition for one flag: conditions are evaluated in order, and the first that applies decides.
public struct ConditionStep: Sendable, Hashable {
    /// The effect of the condition on the flag.
    public enum Part: String, Sendable, CaseIterable {
        /// It is the first that applies.
        case decides
        /// It precedes that one, and does not apply.
        case passedOver
        /// An earlier one decides.
        case notAsked
    }

    /// The condition.
    public let condition: RemoteCondition
    /// Its effect on the flag.
    public let part: Part

    /// The conditions of a flag in their order, each with its effect.
    static func steps(_ conditions: [RemoteCondition]) -> [ConditionStep] {
        var isDecided = false
        return conditions.map { condition in
            defer { isDecided = isDecided || condition.holds }
            let part: Part = isDecided ? .notAsked : condition.holds ? .decides : .passedOver
            return ConditionStep(condition: condition, part: part)
        }
    }

    /// ``word`` and, if it is not empty, ``why``.
    public var words: [String] { [word, why].filter { !$0.isEmpty } }

    /// Its state, such as `decides: on, by hand`.
    public var word: String {
        switch part {
        case .decides: condition.forced == nil ? "decides" : "decides: \(condition.word)"
        case .passedOver: condition.word
        case .notAsked: "not evaluated"
        }
    }

    /// Why, in a few words; may be empty.
    public var why: String { part == .notAsked || condition.forced != nil ? "" : condition.why }
}
