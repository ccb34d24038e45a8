package import FlagFormats
package import FlagModel

/// Evaluates conditions as firebase-admin does: `_ConditionEvaluator` of firebase_admin/remote_config.py 7.5.0, but
/// with the regular expressions and numbers of Swift.
package struct ConditionEvaluator {
    /// Conditions that are nested deeper do not apply (`MAX_CONDITION_RECURSION_DEPTH`).
    static let depthLimit = 10

    let context: TemplateContext

    /// An evaluator for a context.
    package init(_ context: TemplateContext) { self.context = context }

    /// The result of a condition.
    package func finding(_ rule: TemplateCondition.Rule) -> ConditionFinding {
        switch rule {
        case .tree(let node): finding(node, depth: 0)
        case .expression: ConditionFinding(.unknown, "only Firebase's servers evaluate it")
        }
    }

    private func finding(_ node: ConditionNode, depth: Int) -> ConditionFinding {
        guard depth < Self.depthLimit else {
            return ConditionFinding(
                false, "more than \((Self.depthLimit - 1) / 2) nested lists of conditions")
        }
        switch node {
        case .anyOf(let nodes):
            return finding(nodes, depth, result: .applies)
                ?? ConditionFinding(false, "there are no conditions, and one must apply")
        case .allOf(let nodes):
            return finding(nodes, depth, result: .doesNotApply)
                ?? ConditionFinding(true, "there are no conditions to meet")
        case .always: return ConditionFinding(true, "it always applies")
        case .never: return ConditionFinding(false, "it never applies")
        case .percent(let condition): return finding(condition)
        case .customSignal(let condition): return finding(condition)
        case .unreadable(let sentence): return ConditionFinding(false, "it \(sentence)")
        }
    }

    /// The result of a list of conditions. If a condition has the result `deciding`, its result is the result of the
    /// list; else the result depends on all conditions. A list adds one level of depth, and each of its conditions
    /// another.
    ///
    /// - Parameter deciding: the result of a single condition that decides the whole list.
    /// - Returns: `nil` for an empty list.
    private func finding(
        _ nodes: [ConditionNode], _ depth: Int, result deciding: RemoteCondition.Result
    ) -> ConditionFinding? {
        var findings: [ConditionFinding] = []
        for node in nodes {
            let nodeFinding = finding(node, depth: depth + 2)
            if nodeFinding.result == deciding { return nodeFinding }
            findings.append(nodeFinding)
        }
        if findings.isEmpty { return nil }
        return findings.first { $0.result == .unknown }
            ?? ConditionFinding(deciding != .applies, findings.map(\.why).joined(separator: "; "))
    }

    private func finding(_ condition: PercentCondition) -> ConditionFinding {
        guard let id = context.randomizationID else {
            return ConditionFinding(false, "the context has no randomization id")
        }
        guard let micro = Percentile.micro(seed: condition.seed, id: id) else {
            return ConditionFinding(
                .unknown, "percentages need a build with the package trait Network")
        }
        let seed = condition.seed.isEmpty ? " without a seed" : condition.seedWords
        let percent = PercentCondition.percent(Double(micro))
        return ConditionFinding(
            condition.share.contains(micro), "the percentile\(seed) is \(percent), wanted \(condition.wanted)")
    }

    private func finding(_ condition: SignalCondition) -> ConditionFinding {
        guard let value = context[condition.key] else {
            return ConditionFinding(false, "the context has no signal \(condition.key.string)")
        }
        let quoted = if case .text(let text) = value { JSONOutput.quoted(text, limit: 60) } else { value.signalText }
        do throws(UnsupportedCondition) {
            guard let applies = try condition.applies(for: value) else {
                return ConditionFinding(
                    false, "\(condition.key.string) is \(quoted), which cannot be compared: wanted \(condition.wanted)")
            }
            return ConditionFinding(applies, "\(condition.key.string) is \(quoted), wanted \(condition.wanted)")
        } catch {
            return ConditionFinding(.unknown, error.reason)
        }
    }
}

/// Whether a condition applies, and why.
package struct ConditionFinding: Sendable, Hashable {
    /// Whether the condition applies; `unknown` if it cannot be evaluated here, so that the user has to decide.
    package let result: RemoteCondition.Result
    /// The reason for the result, as a part of a sentence, such as `level is 4, wanted > 5`.
    package let why: String

    /// Whether the condition applies; `false` if the result is unknown.
    package var applies: Bool { result == .applies }

    init(_ result: RemoteCondition.Result, _ why: String) { (self.result, self.why) = (result, why) }

    init(_ applies: Bool, _ why: String) { self.init(applies ? .applies : .doesNotApply, why) }
}
