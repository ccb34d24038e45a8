/// A condition by which a source chooses among values, and what came of it.
public struct RemoteCondition: Sendable, Hashable {
    /// What came of the rule, whatever somebody has decided by hand.
    public enum Verdict: String, Sendable, CaseIterable {
        /// It holds.
        case holds
        /// It does not.
        case doesNotHold
        /// It cannot be evaluated here, so it is taken as not holding until somebody decides it.
        case unknown
    }

    /// The name that values refer to.
    public let name: FlagText
    /// The rule, as the service spells it or in words.
    public let rule: String
    /// What came of the rule.
    public let verdict: Verdict
    /// Why, in a few words such as `platform is "ios", wanted "ios"`; empty where there is nothing to say.
    public let why: String
    /// The members of a context that the rule goes by, where that is known.
    public let wants: [String]
    /// What somebody has decided by hand; `nil` where the rule decides.
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

    /// A condition that was decided by hand and is not there any more. The decision would hold again if it came back.
    init(lost decision: OwnContext.Decision) {
        self.init(
            name: FlagText(decision.condition), rule: "The source no longer has this condition.",
            verdict: .doesNotHold, why: "the source no longer has this condition", forced: decision.holds)
    }

    /// The same, decided by hand or not.
    func deciding(_ forced: Bool?) -> RemoteCondition {
        RemoteCondition(name: name, rule: rule, verdict: verdict, why: why, wants: wants, forced: forced)
    }

    /// Whether its values count: what was decided by hand, else what came of the rule.
    public var holds: Bool { forced ?? (verdict == .holds) }

    /// How it stands, such as `on, by hand`.
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

/// A condition as one flag meets it: conditions are asked in order, and the first that holds decides.
public struct ConditionStep: Sendable, Hashable {
    /// What the condition means for the flag.
    public enum Part: String, Sendable, CaseIterable {
        /// It is the first that holds.
        case decides
        /// It was asked before that one, and does not hold.
        case passedOver
        /// One before it decides.
        case notAsked
    }

    /// The condition.
    public let condition: RemoteCondition
    /// What it means for the flag.
    public let part: Part

    /// The conditions of a flag in their order, each with what it means for it.
    static func steps(_ conditions: [RemoteCondition]) -> [ConditionStep] {
        var isDecided = false
        return conditions.map { condition in
            defer { isDecided = isDecided || condition.holds }
            let part: Part = isDecided ? .notAsked : condition.holds ? .decides : .passedOver
            return ConditionStep(condition: condition, part: part)
        }
    }

    /// ``word`` and, if there is anything to say, ``why``.
    public var words: [String] { [word, why].filter { !$0.isEmpty } }

    /// How it stands, such as `decides: on, by hand`.
    public var word: String {
        switch part {
        case .decides: condition.forced == nil ? "decides" : "decides: \(condition.word)"
        case .passedOver: condition.word
        case .notAsked: "not evaluated"
        }
    }

    /// Why, in a few words; empty where nothing is to be said.
    public var why: String { part == .notAsked || condition.forced != nil ? "" : condition.why }
}
