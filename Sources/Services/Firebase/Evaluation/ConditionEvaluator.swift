package import FlagFormats
package import FlagModel
import FlagRemote

/// Evaluates conditions as firebase-admin does: `_ConditionEvaluator` of firebase_admin/remote_config.py 7.5.0, but
/// with the regular expressions and numbers of Swift.
extension TemplateContext {
    /// Conditions that are nested deeper do not apply (`MAX_CONDITION_RECURSION_DEPTH`).
    static let depthLimit = 10

    /// The result of a condition.
    package func finding(_ rule: TemplateCondition.Rule) -> ConditionFinding {
        switch rule {
        case .tree(let node): finding(node, depth: 0)
        case .expression: ConditionFinding(.unknown, "only Firebase's servers evaluate it")
        }
    }

    private func finding(_ node: ConditionNode, depth: Int) -> ConditionFinding {
        guard depth < Self.depthLimit else {
            return ConditionFinding(false, "more than \((Self.depthLimit - 1) / 2) nested lists of conditions")
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
        guard let id = randomizationID else {
            return ConditionFinding(false, "the context has no randomization id")
        }
        guard let micro = Percentile.micro(seed: condition.seed, id: id) else {
            return ConditionFinding(.unknown, "percentages need a build with the package trait Network")
        }
        let seed = condition.seed.isEmpty ? " without a seed" : condition.seedWords
        let percent = PercentCondition.percent(Double(micro))
        return ConditionFinding(
            condition.contains(micro), "the percentile\(seed) is \(percent), wanted \(condition.wanted)")
    }

    private func finding(_ condition: SignalCondition) -> ConditionFinding {
        guard let value = self[condition.key] else {
            return ConditionFinding(false, "the context has no signal \(condition.key.string)")
        }
        let quoted = if case .text(let text) = value { JSONOutput.quoted(text, limit: 60) } else { value.signalText }
        do throws(UnsupportedCondition) {
            let applies = try condition.applies(for: value)
            let actual = applies == nil ? "\(quoted), which cannot be compared:" : "\(quoted),"
            return ConditionFinding(applies ?? false, "\(condition.key.string) is \(actual) wanted \(condition.wanted)")
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

    init(_ result: RemoteCondition.Result, _ why: String) { (self.result, self.why) = (result, why) }

    init(_ applies: Bool, _ why: String) { self.init(applies ? .applies : .doesNotApply, why) }
}

/// Why a condition cannot be evaluated here, so that the user has to decide whether it applies.
struct UnsupportedCondition: Error, Hashable {
    let reason: String
}

extension SignalCondition {
    /// Whether the condition applies to a value of the signal; `nil` if the value cannot be compared.
    func applies(for value: ContextValue) throws(UnsupportedCondition) -> Bool? {
        let actual = value.signalText
        switch comparison {
        case .text(.contains): return targets.contains { Self.isPart($0, of: actual) }
        case .text(.doesNotContain): return !targets.contains { Self.isPart($0, of: actual) }
        case .text(.equals):
            return targets.contains { $0.trimmed.unicodeScalars.elementsEqual(actual.trimmed.unicodeScalars) }
        case .text(.matches):
            for target in targets where try ConditionPattern(target).isFound(in: actual) { return true }
            return false
        case .number(let comparison): return numberOrder(value).map(comparison.applies)
        case .version(let comparison):
            guard let target = targets.first.flatMap(Self.version), let actual = Self.version(actual) else {
                return nil
            }
            return comparison.applies(Self.order(actual, target))
        }
    }

    private static func isPart(_ target: String, of actual: String) -> Bool {
        actual.unicodeScalars.contains(target.unicodeScalars)
    }

    /// -1, 0 or 1 if the value is below, equal to or above the target; `nil` if the value or target is not a number.
    private func numberOrder(_ value: ContextValue) -> Int? {
        guard let target = targets.first.map({ ContextValue.text($0) }) else { return nil }
        if let target = target.integer, let actual = value.integer { return Self.order([actual], [target]) }
        guard let target = target.double, let actual = value.double else { return nil }
        return Self.order([actual], [target])
    }

    /// The numbers of a version, which are separated by points; `nil` for a text that is not a version. Zeros at the end
    /// do not count.
    private static func version(_ text: String) -> [UInt]? {
        let components = text.trimmed.split(separator: ".", omittingEmptySubsequences: false)
        var numbers = components.compactMap { UInt($0) }
        guard numbers.count == components.count else { return nil }
        while numbers.last == 0 { numbers.removeLast() }
        return numbers
    }

    private static func order<Number: Comparable>(_ left: [Number], _ right: [Number]) -> Int {
        left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
    }
}
