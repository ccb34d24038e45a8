package import FlagModel

extension FirebaseTemplate {
    /// The name of the category for parameters without a group.
    private static let ungroupedName: FlagText = "Parameters"

    /// The parameters as flags for the menu. Groups are categories, all possible values are options, and each flag
    /// notes why it has its value. A parameter whose value only Firebase or the app decides has no remote value.
    ///
    /// - Parameters:
    ///   - holding: the names of the conditions that apply; no other condition applies.
    ///   - prefix: only parameters whose keys have this prefix are included.
    package func flags(whereHold holding: Set<FlagText> = [], keyPrefix prefix: String = "") -> EvaluatedFlags {
        var flags = EvaluatedFlags(issues: issues, categoryDetails: groupDetails)
        for (parameter, outcome) in zip(parameters, outcomes(whereHold: holding))
        where parameter.key.isMeant(byPrefix: prefix) {
            // A value that is the same for all clients needs no note.
            let isUnconditional = parameter.conditionalValues.isEmpty && outcome.value.text != nil
            flags.add(
                parameter.item, value: outcome.value.text, note: isUnconditional ? nil : FlagText(outcome.note),
                conditions: outcome.evaluated, category: parameter.group ?? Self.ungroupedName)
        }
        return flags
    }
}

extension TemplateParameter {
    /// The parameter as an item with all its possible values as options.
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
    /// Adds the value to the options, labelled with the condition under which a client gets it.
    fileprivate func offer(to offers: inout OptionOffers, under condition: String?) {
        func label(_ word: String) -> String { condition.map { "\($0), \(word)" } ?? word }
        switch self {
        case .text(let text): offers.offer(text.string, condition)
        case .rollout(_, let text, _):
            // Only some clients get the text, so it is an option, but not the remote value.
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
