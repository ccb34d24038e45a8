import FlagModel

/// Evaluates conditions as firebase-admin does: `_ConditionEvaluator` of firebase_admin/remote_config.py 7.5.0, but with the
/// regular expressions and numbers of Swift.
///
/// Everything is looked at in the same order and no further, as an error counts only where it is reached.
struct ConditionEvaluator {
    /// Deeper conditions do not hold (`MAX_CONDITION_RECURSION_DEPTH`).
    static let depthLimit = 10

    let context: TemplateContext

    func finding(_ rule: TemplateCondition.Rule) -> ConditionFinding {
        switch rule {
        case .tree(let node): finding(node, depth: 0)
        case .expression, .missing:
            ConditionFinding(false, .error("the condition has no rules for servers"))
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
        case .unknown(let kind): return ConditionFinding(false, .unknownKind(kind))
        case .unusable(let sentence): return ConditionFinding(false, .error(sentence))
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
            if decides(part) || part.error != nil { break }
        }
        return parts
    }

    private func finding(_ condition: PercentCondition) -> ConditionFinding {
        guard let id = context.randomizationID else { return ConditionFinding(false, .noRandomizationID) }
        if condition.comparison == .missing { return ConditionFinding(false, .incomplete) }
        if let fault = condition.fault { return ConditionFinding(false, .error(fault)) }
        guard let micro = Percentile.micro(seed: condition.seed, id: id) else {
            return ConditionFinding(
                false, .undecided("percentages are computed in builds with the package trait Network only"))
        }
        let holds: Bool?
        switch condition.comparison {
        case .lessOrEqual: holds = Self.isAbove(micro, condition.bound).map(!)
        case .greaterThan: holds = Self.isAbove(micro, condition.bound)
        case .between:
            let isAbove = Self.isAbove(micro, condition.lower)
            holds = isAbove == true ? Self.isAbove(micro, condition.upper).map(!) : isAbove
        case .unknown(let word): return ConditionFinding(false, .unknownOperator(word))
        case .missing: return ConditionFinding(false, .incomplete)
        }
        guard let holds else { return ConditionFinding(false, .error("a bound of a percent condition is no number")) }
        return ConditionFinding(holds, .percentile(micro, condition))
    }

    /// `nil` where the bound cannot be compared.
    private static func isAbove(_ micro: Int, _ bound: PercentCondition.Bound) -> Bool? {
        guard case .micro(let bound) = bound else { return nil }
        return Double(micro) > bound
    }
}

extension ConditionEvaluator {
    private func finding(_ condition: SignalCondition) -> ConditionFinding {
        if condition.comparison == .missing || condition.key.isEmpty || condition.targets?.isEmpty == true {
            return ConditionFinding(false, .incomplete)
        }
        guard let value = context[condition.key] else { return ConditionFinding(false, .noSignal(condition.key)) }
        if case .unknown(let word) = condition.comparison { return ConditionFinding(false, .unknownOperator(word)) }
        guard let targets = condition.targets else {
            return ConditionFinding(false, .error("\"targetCustomSignalValues\" is no list"))
        }
        do throws(SignalTestError) {
            guard let holds = try SignalTest(value: value, targets: targets).holds(condition.comparison) else {
                return ConditionFinding(false, .incomparable(value, condition))
            }
            return ConditionFinding(holds, .signal(value, condition))
        } catch {
            return ConditionFinding(false, error.reason)
        }
    }
}
