package import FlagModel

extension FirebaseTemplate {
    /// The category of parameters without a group, after the groups.
    private static let ungroupedName: FlagText = "Parameters"

    /// The parameters as flags of a menu, if exactly these conditions apply: groups are categories, all values are
    /// options, and each flag notes why it has its value. What is left to the app has no value here.
    ///
    /// - Parameters:
    ///   - holding: the names of the conditions that apply; if empty, flags are what every client gets.
    ///   - prefix: the prefix that keys must have.
    package func flags(whereHold holding: Set<FlagText> = [], keyPrefix prefix: String = "") -> EvaluatedFlags {
        var flags = EvaluatedFlags(problems: problems)
        flags.categoryDetails = groupDetails
        for (parameter, outcome) in zip(parameters, outcomes(whereHold: holding))
        where parameter.key.isMeant(byPrefix: prefix) {
            // A text for all clients needs no note.
            let isPlain = parameter.conditionalValues.isEmpty && outcome.value.text != nil
            flags.add(
                parameter.item, value: outcome.value.text, note: isPlain ? nil : FlagText(outcome.note),
                conditions: outcome.asked, category: parameter.group ?? Self.ungroupedName)
        }
        return flags
    }
}

extension TemplateParameter {
    /// The parameter with all its possible values.
    fileprivate var item: FlagItem {
        var offers = OptionOffers()
        defaultValue.offer(to: &offers, under: nil)
        for conditional in conditionalValues {
            conditional.value.offer(to: &offers, under: conditional.condition.string)
        }
        return FlagItem(
            key: key, details: details, options: offers.options(for: declaredType), declaredType: declaredType)
    }
}

extension ParameterValue {
    fileprivate func offer(to offers: inout OptionOffers, under condition: String?) {
        func label(_ word: String) -> String { condition.map { "\($0), \(word)" } ?? word }
        switch self {
        case .text(let text): offers.offer(text.string, condition)
        case .rollout(_, let text, _):
            // Only some clients get it, so it is an option and not the value of the layer.
            if let text { offers.offer(text.string, label("rollout")) }
        case .experiment(_, let variants):
            for variant in variants {
                guard let text = variant.text else { continue }
                offers.offer(text.string, label("variant \(variant.id?.string ?? "")"))
            }
        case .inAppDefault, .personalization, .unknown, .absent: break
        }
    }
}
