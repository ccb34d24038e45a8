public import FlagModel

/// What a template says to one context: which conditions hold, and the value of each parameter, both with reasons.
public struct TemplateEvaluation: Sendable, Hashable {
    /// A condition and what came of it.
    public struct Condition: Sendable, Hashable {
        /// The name; `nil` for a condition that no parameter can name.
        public let name: FlagText?
        /// What came of it.
        public let finding: ConditionFinding
    }

    /// All conditions in the order that decides.
    public let conditions: [Condition]
    /// All parameters, in the order of ``FirebaseTemplate/parameters``.
    public let outcomes: [ParameterOutcome]

    /// What firebase-admin would end with instead of any value; `nil` where it would not. Everything that does not depend
    /// on it is here all the same.
    public var error: String? {
        if let error = conditions.lazy.compactMap(\.finding.error).first { return error }
        for outcome in outcomes { if case .error(let sentence) = outcome.reason { return sentence } }
        return nil
    }

    /// The conditions that hold.
    public var holding: Set<FlagText> { Set(conditions.filter(\.finding.holds).compactMap(\.name)) }
}

extension FirebaseTemplate {
    /// The values where exactly these conditions hold, whatever they say: for conditions that only Firebase's servers
    /// evaluate, and for trying out.
    public func outcomes(
        whereHold holding: Set<FlagText>, inAppDefaults: [FlagText: FlagText] = [:]
    ) -> [ParameterOutcome] {
        let ranks = Dictionary(uniqueKeysWithValues: conditionNames.enumerated().map { ($1, $0) })
        return parameters.map { $0.outcome(ranks, holding: holding, inAppDefaults) }
    }
}

extension FirebaseTemplate {
    /// Evaluates a template for servers as firebase-admin 7.5.0 does, but for parameters in groups, which it does not
    /// read and which follow the same rules here, and with the regular expressions and numbers of Swift.
    public func evaluation(
        in context: TemplateContext, inAppDefaults: [FlagText: FlagText] = [:]
    ) -> TemplateEvaluation {
        let evaluator = ConditionEvaluator(context: context)
        let found = conditions.map {
            TemplateEvaluation.Condition(name: $0.name, finding: evaluator.finding($0.rule))
        }
        // Of two conditions of one name the last one counts.
        let holds = Dictionary(
            found.compactMap { condition in condition.name.map { ($0, condition.finding.holds) } },
            uniquingKeysWith: { _, last in last })
        let holding = Set(holds.lazy.filter(\.value).map(\.key))
        return TemplateEvaluation(
            conditions: found, outcomes: outcomes(whereHold: holding, inAppDefaults: inAppDefaults))
    }
}
