package import FlagFormats

/// Evaluates conditions as firebase-admin does: `_ConditionEvaluator` of firebase_admin/remote_config.py 7.5.0, but with the
/// regular expressions and numbers of Swift.
package struct ConditionEvaluator {
    /// Deeper conditions do not hold (`MAX_CONDITION_RECURSION_DEPTH`).
    static let depthLimit = 10

    let context: TemplateContext

    /// An evaluator for a context.
    package init(_ context: TemplateContext) { self.context = context }

    /// What comes of a condition.
    package func finding(_ rule: TemplateCondition.Rule) -> ConditionFinding {
        switch rule {
        case .tree(let node): finding(node, depth: 0)
        case .expression: ConditionFinding(false, .undecided("only Firebase's servers evaluate it"))
        }
    }

    private func finding(_ node: ConditionNode, depth: Int) -> ConditionFinding {
        guard depth < Self.depthLimit else { return ConditionFinding(false, .tooDeep) }
        switch node {
        case .anyOf(let nodes):
            let parts = lookedAt(nodes, depth, decides: \.holds)
            return ConditionFinding(parts.contains(where: \.holds), .anyOf, parts)
        case .allOf(let nodes):
            let parts = lookedAt(nodes, depth, decides: \.isFalse)
            return ConditionFinding(parts.allSatisfy(\.holds), .allOf, parts)
        case .always: return ConditionFinding(true, .always)
        case .never: return ConditionFinding(false, .never)
        case .percent(let condition): return finding(condition)
        case .customSignal(let condition): return finding(condition)
        case .unreadable(let sentence): return ConditionFinding(false, .unreadable(sentence))
        }
    }

    /// The parts up to the first that decides. A list costs one level and each of its parts another.
    private func lookedAt(
        _ nodes: [ConditionNode], _ depth: Int, decides: (ConditionFinding) -> Bool
    ) -> [ConditionFinding] {
        var parts: [ConditionFinding] = []
        for node in nodes {
            let part = finding(node, depth: depth + 2)
            parts.append(part)
            if decides(part) { break }
        }
        return parts
    }

    private func finding(_ condition: PercentCondition) -> ConditionFinding {
        guard let id = context.randomizationID else { return ConditionFinding(false, .noRandomizationID) }
        guard let micro = Percentile.micro(seed: condition.seed, id: id) else {
            return ConditionFinding(
                false, .undecided("percentages are computed in builds with the package trait Network only"))
        }
        return ConditionFinding(condition.share.contains(micro), .percentile(micro, condition))
    }

    private func finding(_ condition: SignalCondition) -> ConditionFinding {
        guard let value = context[condition.key] else { return ConditionFinding(false, .noSignal(condition.key)) }
        do throws(UndecidedCondition) {
            let holds = try condition.holds(for: value)
            return ConditionFinding(
                holds ?? false, holds == nil ? .incomparable(value, condition) : .signal(value, condition))
        } catch {
            return ConditionFinding(false, .undecided(error.reason))
        }
    }
}
