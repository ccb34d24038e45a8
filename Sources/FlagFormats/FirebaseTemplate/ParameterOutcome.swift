package import FlagModel

/// The value of a parameter, and the condition that chose it.
package struct ParameterOutcome: Sendable, Hashable {
    /// The condition that chose the value; `nil` if no condition with a value applies, so that the default value is
    /// used.
    package let condition: FlagText?
    package let value: ParameterValue
    /// The conditions that the parameter has values for, in order of evaluation.
    let evaluated: [FlagText]

    /// Why the parameter has the value, in a few words such as `condition ios`.
    package var note: String {
        switch value {
        case .absent: "no default value"
        case .inAppDefault: "\(condition == nil ? "the default value" : chooser) leaves it to the app"
        case .text: chooser
        case .rollout: "\(chooser), a rollout that only Firebase decides"
        case .personalization: "\(chooser), a personalization that only Firebase decides"
        case .experiment: "\(chooser), an experiment that only Firebase decides"
        case .unknown: "\(chooser), in an unknown form"
        }
    }

    private var chooser: String { condition.map { "condition \($0.string)" } ?? "default value" }
}

extension FirebaseTemplate {
    /// The value of each parameter if exactly these conditions apply.
    package func outcomes(whereHold holding: Set<FlagText>) -> [ParameterOutcome] {
        let ranks = Dictionary(uniqueKeysWithValues: conditionNames.enumerated().map { ($1, $0) })
        return parameters.map { $0.outcome(ranks, holding: holding) }
    }
}

extension TemplateParameter {
    /// The value of the parameter, chosen as in `_ConditionEvaluator.evaluate` of firebase-admin.
    ///
    /// - Parameters:
    ///   - ranks: the position of each condition in order of precedence.
    ///   - holding: the names of the conditions that apply.
    fileprivate func outcome(_ ranks: [FlagText: Int], holding: Set<FlagText>) -> ParameterOutcome {
        let candidates = conditionalValues.filter { ranks[$0.condition] != nil }
            .sorted { ranks[$0.condition, default: 0] < ranks[$1.condition, default: 0] }
        // If the condition has an empty value, the default value is used; later conditions are not evaluated.
        let winner = candidates.first { holding.contains($0.condition) }.flatMap { $0.value == .absent ? nil : $0 }
        return ParameterOutcome(
            condition: winner?.condition, value: winner?.value ?? defaultValue, evaluated: candidates.map(\.condition))
    }
}

extension ParameterValue {
    /// The text; `nil` for every other form, such as one that only Firebase decides.
    package var text: FlagText? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The form in a word or two, such as `rollout`; `nil` for a text, and if there is no value.
    package var form: String? {
        switch self {
        case .text, .absent: nil
        case .inAppDefault: "in-app default"
        case .rollout: "rollout"
        case .personalization: "personalization"
        case .experiment: "experiment"
        case .unknown: "unknown form"
        }
    }

    /// Whether only Firebase decides the value. Also `true` for an unknown form, because Firebase may decide it.
    package var isEvaluatedByFirebase: Bool { form != nil && self != .inAppDefault }
}
