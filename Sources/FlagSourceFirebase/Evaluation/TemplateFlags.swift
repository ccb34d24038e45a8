import FlagFormats
public import FlagModel

extension FirebaseTemplate {
    /// Where the parameters without a group stand in a menu.
    private static let ungroupedName: FlagText = "Parameters"

    /// What came of the parameters, as flags of a menu: groups are categories, all values are options, and each flag notes
    /// why it has its value. What is left to the app has no value here.
    ///
    /// - Parameter prefix: parameters whose keys do not begin with it are passed over.
    public func flags(_ outcomes: [ParameterOutcome], keyPrefix prefix: String = "") -> EvaluatedFlags {
        var flags = EvaluatedFlags()
        let ranks = Dictionary(uniqueKeysWithValues: conditionNames.enumerated().map { ($1, $0) })
        for problem in problems { flags.leaveOut(problem.description) }
        for (parameter, outcome) in zip(parameters, outcomes) where parameter.item.key.isMeant(byPrefix: prefix) {
            flags.add(
                parameter.item, value: outcome.source == .remote ? outcome.value : nil,
                note: outcome.isPlain && parameter.conditionalValues.isEmpty ? nil : FlagText(outcome.note),
                conditions: parameter.conditionalValues.map(\.condition).filter { ranks[$0] != nil }
                    .sorted { (ranks[$0] ?? 0) < (ranks[$1] ?? 0) },
                category: parameter.group ?? Self.ungroupedName)
        }
        return flags
    }
}

extension FirebaseTemplate {
    /// The flags as they are for a context: trees are evaluated in it, and what cannot be evaluated here, such as texts that
    /// only Firebase's servers evaluate, does not hold. What somebody decides by hand counts instead of either.
    ///
    /// - Parameters:
    ///   - forced: conditions by their names, with whether they hold.
    ///   - prefix: parameters whose keys do not begin with it are passed over.
    public func flags(
        in context: TemplateContext, forced: [FlagText: Bool] = [:], keyPrefix prefix: String = ""
    ) -> EvaluatedFlags {
        let evaluator = ConditionEvaluator(context: context)
        // Of two conditions of one name the last one counts, in the place of the first.
        let rules = Dictionary(conditions.compactMap { one in one.name.map { ($0, one.rule) } }) { _, last in last }
        let found = conditionNames.compactMap { name in
            rules[name].map { rule in
                RemoteCondition(name: name, rule, finding: evaluator.finding(rule), forced: forced[name])
            }
        }
        let holding = Set(found.lazy.filter(\.holds).map(\.name))
        var flags = flags(outcomes(whereHold: holding), keyPrefix: prefix)
        flags.conditions = found
        flags.takesContext = hasTrees
        return flags
    }

    /// Whether some condition can be evaluated here, as those of templates for servers can.
    private var hasTrees: Bool {
        conditions.contains { condition in if case .tree = condition.rule { true } else { false } }
    }
}

extension ParameterOutcome {
    /// Whether there is nothing to say about it: the text that everybody gets.
    fileprivate var isPlain: Bool { reason == .defaultValue && chosen.text != nil }
}

extension RemoteCondition {
    fileprivate init(name: FlagText, _ rule: TemplateCondition.Rule, finding: ConditionFinding, forced: Bool?) {
        switch rule {
        case .tree(let node):
            let undecided = finding.undecided
            self.init(
                name: name, rule: node.words,
                verdict: finding.holds ? .holds : undecided == nil ? .doesNotHold : .unknown,
                why: undecided ?? finding.why, wants: node.signals, forced: forced)
        case .expression(let text):
            self.init(
                name: name, rule: text.string, verdict: .unknown, why: "only Firebase's servers evaluate it",
                forced: forced)
        case .missing:
            self.init(name: name, rule: "", verdict: .unknown, why: "nothing decides it", forced: forced)
        }
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
