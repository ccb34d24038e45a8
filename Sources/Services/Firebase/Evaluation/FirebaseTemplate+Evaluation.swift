package import FlagFormats
package import FlagModel

extension FirebaseTemplate {
    /// The conditions, evaluated for a context. Conditions that cannot be evaluated here, such as expressions that only
    /// Firebase's servers evaluate, do not apply unless they are forced.
    ///
    /// - Parameter forced: the names of forced conditions, each with whether the condition applies.
    package func conditions(in context: TemplateContext, forced: [FlagText: Bool] = [:]) -> [RemoteCondition] {
        let rules = rules
        return conditionNames.compactMap { name in
            guard let rule = rules[name] else { return nil }
            let finding = context.finding(rule)
            let wants: [String] = if case .tree(let node) = rule { node.signals } else { [] }
            return RemoteCondition(
                name: name, rule: rule.summary, result: finding.result, why: finding.why, wants: wants,
                forced: forced[name])
        }
    }

    /// The flags for a context, by the results of ``conditions(in:forced:)``.
    ///
    /// - Parameters:
    ///   - forced: the names of forced conditions, each with whether the condition applies.
    ///   - prefix: the prefix of the keys to read.
    package func flags(
        in context: TemplateContext, forced: [FlagText: Bool] = [:], keyPrefix prefix: String = ""
    ) -> EvaluatedFlags {
        let evaluated = conditions(in: context, forced: forced)
        var flags = flags(whereHold: Set(evaluated.lazy.filter(\.applies).map(\.name)), keyPrefix: prefix)
        flags.conditions = evaluated
        // Only conditions with trees are evaluated here, for the context.
        flags.dependsOnContext = conditions.contains { if case .tree = $0.rule { true } else { false } }
        return flags
    }

    /// Evaluates a template in a document, such as a file. The conditions of a server template are evaluated for the
    /// context; the conditions of a client template apply only if they are forced.
    ///
    /// - Parameter forced: the names of forced conditions, each with whether the condition applies.
    package static func evaluated(
        _ document: RemoteDocument, of bytes: [UInt8], in context: TemplateContext, forced: [FlagText: Bool]
    ) -> RemoteDocument {
        guard document.kind == .template, let template = try? FirebaseTemplate(parsing: bytes),
            !template.conditions.isEmpty
        else { return document }
        return RemoteDocument(template.flags(in: context, forced: forced), kind: .template)
    }
}

extension ConditionNode {
    /// The signals in the rule, without duplicates.
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
