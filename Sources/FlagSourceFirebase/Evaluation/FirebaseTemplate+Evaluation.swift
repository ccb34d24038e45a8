package import FlagFormats
package import FlagModel
package import FlagRemote

extension FirebaseTemplate {
    /// The conditions, evaluated for a context. What cannot be evaluated here, such as texts that only Firebase's servers
    /// evaluate, does not hold. What somebody decides by hand counts instead of either.
    ///
    /// - Parameter forced: conditions by their names, with whether they hold.
    package func conditions(in context: TemplateContext, forced: [FlagText: Bool] = [:]) -> [RemoteCondition] {
        let (rules, evaluator) = (rules, ConditionEvaluator(context))
        return conditionNames.compactMap { name in
            rules[name].map { RemoteCondition(name: name, $0, evaluator.finding($0), forced: forced[name]) }
        }
    }

    /// The flags as they are for a context, as ``conditions(in:forced:)`` come out.
    ///
    /// - Parameters:
    ///   - forced: conditions by their names, with whether they hold.
    ///   - prefix: parameters whose keys do not begin with it are passed over.
    package func flags(
        in context: TemplateContext, forced: [FlagText: Bool] = [:], keyPrefix prefix: String = ""
    ) -> EvaluatedFlags {
        let found = conditions(in: context, forced: forced)
        var flags = flags(whereHold: Set(found.lazy.filter(\.holds).map(\.name)), keyPrefix: prefix)
        flags.conditions = found
        // Only trees are evaluated here.
        flags.takesContext = conditions.contains { if case .tree = $0.rule { true } else { false } }
        return flags
    }

    /// What evaluates the conditions of a template in a document, such as a file: those of a template for servers for the context
    /// of its source, those for clients as settings decide them by hand.
    package static func evaluation(_ settings: SourceSettings) -> DocumentEvaluation {
        { bytes, document in
            guard document.kind == .template, let template = try? FirebaseTemplate(parsing: bytes),
                !template.conditions.isEmpty
            else { return document }
            let context = settings.member("context").map(TemplateContext.init) ?? TemplateContext()
            let forced = settings.member("conditions").map(FirebaseTemplate.forcedConditions) ?? [:]
            return RemoteDocument(template.flags(in: context, forced: forced), kind: .template)
        }
    }
}

extension RemoteCondition {
    fileprivate init(name: FlagText, _ rule: TemplateCondition.Rule, _ finding: ConditionFinding, forced: Bool?) {
        var wants: [String] = []
        if case .tree(let node) = rule { wants = node.signals }
        self.init(
            name: name, rule: rule.words, verdict: finding.verdict, why: finding.why, wants: wants, forced: forced)
    }
}

extension ConditionNode {
    /// The signals that the rule goes by, each once.
    fileprivate var signals: [String] {
        switch self {
        case .anyOf(let nodes), .allOf(let nodes):
            nodes.flatMap(\.signals).reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
        case .percent: [TemplateContext.randomizationKey.string]
        case .customSignal(let condition): [condition.key.string]
        case .always, .never, .unreadable: []
        }
    }
}
