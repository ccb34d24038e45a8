public import FlagModel

/// The value of a parameter, and why it has that one.
public struct ParameterOutcome: Sendable, Hashable {
    /// Where a value comes from.
    public enum Source: Sendable, Hashable {
        /// From the template.
        case remote
        /// From what the app has compiled in.
        case inAppDefault
        /// There is none.
        case none
    }

    /// What chose it.
    public enum Reason: Sendable, Hashable {
        /// The value under the first condition that holds.
        case condition(FlagText)
        /// That value, which leaves it to the app.
        case conditionLeavesItToTheApp(FlagText)
        /// No condition with a value holds.
        case defaultValue
        /// No condition with a value holds, and the default value leaves it to the app.
        case defaultLeavesItToTheApp
        /// No condition with a value holds, and there is no default value.
        case noDefaultValue
        /// firebase-admin ends with an error here.
        case error(String)
    }

    /// The key.
    public let key: FlagText
    /// The group of the parameter.
    public let group: FlagText?
    /// The value; `nil` where there is none, or none in the form that was chosen.
    public let value: FlagText?
    /// Where it comes from.
    public let source: Source
    /// What chose it.
    public let reason: Reason
    /// What the template says at that place.
    public let chosen: ParameterValue
    /// The conditions with a value for this parameter that were looked at and do not hold, in order.
    public let passedOver: [FlagText]

    /// The reason in a few words, such as `condition ios`.
    public var note: String {
        switch reason {
        case .condition(let name): "condition \(name.string)\(form)"
        case .conditionLeavesItToTheApp(let name): "condition \(name.string) leaves it to the app"
        case .defaultValue: "default value\(form)"
        case .defaultLeavesItToTheApp: "the default value leaves it to the app"
        case .noDefaultValue: "no default value"
        case .error(let sentence): "firebase-admin ends with an error: \(sentence)"
        }
    }

    /// Why there is no text where a value was chosen.
    private var form: String {
        guard chosen.isDecidedByFirebase, let form = chosen.form else { return "" }
        let article = "aeiou".contains(form.prefix(1)) ? "an" : "a"
        return chosen == .unknown ? ", in a form that is not known" : ", \(article) \(form) that only Firebase decides"
    }
}

extension TemplateParameter {
    /// The value, given which conditions hold, as `_ConditionEvaluator.evaluate` chooses it.
    ///
    /// - Parameters:
    ///   - ranks: the places of all conditions in the order that decides.
    ///   - holding: those that hold.
    ///   - inAppDefaults: the values compiled into the app.
    func outcome(
        _ ranks: [FlagText: Int], holding: Set<FlagText>, _ inAppDefaults: [FlagText: FlagText]
    ) -> ParameterOutcome {
        let candidates = conditionalValues.compactMap { conditional in
            ranks[conditional.condition].map { ($0, conditional) }
        }
        .sorted { $0.0 < $1.0 }.map(\.1)
        let winner = candidates.firstIndex { holding.contains($0.condition) }
        // An empty value under a condition is as good as none, but the conditions behind it are not asked any more.
        let conditional = winner.map { candidates[$0] }.flatMap { $0.value == .absent ? nil : $0 }
        let chosen = conditional?.value ?? defaultValue
        let choice = Self.choice(chosen, winner: conditional?.condition, fault)
        let inApp = inAppDefaults[key]
        return ParameterOutcome(
            key: key, group: group, value: choice.isRemote ? chosen.text : inApp,
            source: choice.isRemote ? .remote : inApp == nil ? .none : .inAppDefault, reason: choice.reason,
            chosen: chosen, passedOver: candidates[..<(winner ?? candidates.count)].map(\.condition))
    }

    private static func choice(
        _ value: ParameterValue, winner: FlagText?, _ fault: String?
    ) -> (reason: ParameterOutcome.Reason, isRemote: Bool) {
        if let fault { return (.error(fault), false) }
        switch value {
        case .inAppDefault: return (winner.map { .conditionLeavesItToTheApp($0) } ?? .defaultLeavesItToTheApp, false)
        case .absent: return (.noDefaultValue, false)
        case .unusable: return (.error("its value is no object"), false)
        case .text, .rollout, .personalization, .experiment, .unknown:
            return (winner.map { .condition($0) } ?? .defaultValue, true)
        }
    }
}

extension ParameterValue {
    /// The text; `nil` for every form that has none, or that only Firebase decides about.
    public var text: FlagText? {
        if case .text(let text) = self { text } else { nil }
    }
}
