public import FlagModel

extension FirebaseTemplate {
    /// Where the parameters without a group stand in a menu.
    private static let ungroupedName: FlagText = "Parameters"

    /// What came of the parameters, as flags of a menu: groups are categories, all values are options, and each flag notes
    /// why it has its value. What is left to the app has no value here.
    public func flags(_ outcomes: [ParameterOutcome]) -> EvaluatedFlags {
        var flags = EvaluatedFlags()
        for problem in problems { flags.leaveOut(problem.description) }
        for (parameter, outcome) in zip(parameters, outcomes) {
            flags.add(
                parameter.item, value: outcome.source == .remote ? outcome.value : nil, note: FlagText(outcome.note),
                category: parameter.group ?? Self.ungroupedName)
        }
        return flags
    }
}

extension TemplateParameter {
    /// The parameter with all the values that it can have.
    fileprivate var item: FlagItem {
        var offers = TemplateOffers()
        defaultValue.offer(to: &offers, under: nil)
        for conditional in conditionalValues {
            conditional.value.offer(to: &offers, under: conditional.condition.string)
        }
        return FlagItem(
            key: key, details: details, options: offers.options(for: declaredType), declaredType: declaredType)
    }
}

extension ParameterValue {
    fileprivate func offer(to offers: inout TemplateOffers, under condition: String?) {
        switch self {
        case .text(let text): offers.offer(text.string, condition)
        case .rollout(_, let text, _):
            if let text { offers.offer(text.string, TemplateOffers.label(condition, "rollout")) }
        case .experiment(_, let variants):
            for variant in variants {
                guard let text = variant.text else { continue }
                offers.offer(text.string, TemplateOffers.label(condition, "variant \(variant.id?.string ?? "")"))
            }
        case .inAppDefault, .personalization, .unknown, .absent, .unusable: break
        }
    }
}
