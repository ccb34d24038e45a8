import FlagModel

extension TemplateCondition.Rule {
    /// The rule in words, or in Firebase's spelling.
    package var summary: String {
        switch self {
        case .tree(let node): node.summary
        case .expression(let text): text.string
        }
    }
}

extension ConditionNode {
    /// The rule in words, such as `platform is "ios" and percentile <= 10 %`. Nested lists are in parentheses.
    fileprivate var summary: String {
        switch self {
        case .anyOf(let nodes): Self.joined(nodes, "or") ?? "any of nothing"
        case .allOf(let nodes): Self.joined(nodes, "and") ?? "all of nothing"
        case .always: "always"
        case .never: "never"
        case .percent(let condition): condition.summary
        case .customSignal(let condition): condition.summary
        case .unreadable(let sentence): "a condition that \(sentence)"
        }
    }

    private static func joined(_ nodes: [ConditionNode], _ word: String) -> String? {
        guard let first = nodes.first else { return nil }
        if nodes.count == 1 { return first.summary }
        return nodes.map { $0.isList ? "(\($0.summary))" : $0.summary }.joined(separator: " \(word) ")
    }

    /// Whether the words combine several conditions.
    private var isList: Bool {
        switch self {
        case .anyOf(let nodes), .allOf(let nodes): nodes.count > 1 || nodes.first?.isList == true
        default: false
        }
    }
}

extension PercentCondition {
    /// The share in words, such as `> 10 %`.
    package var wanted: String {
        let bounds = [lower.map { "> \(Self.percent($0))" }, upper.map { "<= \(Self.percent($0))" }]
        return bounds.compactMap { $0 }.joined(separator: " and ")
    }

    /// Millionths of a percent as a percentage without trailing zeros.
    package static func percent(_ micro: Double) -> String {
        let text = (micro / 1_000_000).description
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " %"
    }

    /// The seed as a part of a sentence; empty without a seed.
    package var seedWords: String { seed.isEmpty ? "" : " with the seed \(JSONOutput.quoted(seed, limit: 60))" }

    fileprivate var summary: String { "percentile\(seedWords) \(wanted)" }
}

extension SignalCondition {
    /// The comparison in words, such as `>= "5"` or `a text that contains "a" or "b"`.
    package var wanted: String {
        let quoted = targets.map { JSONOutput.quoted($0, limit: 60) }
        let anyTarget = quoted.joined(separator: " or ")
        return switch comparison {
        case .text(.contains): "a text that contains \(anyTarget)"
        case .text(.doesNotContain): "a text that does not contain \(anyTarget)"
        case .text(.equals): anyTarget
        case .text(.matches): "a text with a part like \(anyTarget)"
        case .number(let comparison), .version(let comparison): "\(comparison.sign) \(quoted.first ?? "nothing")"
        }
    }

    fileprivate var summary: String {
        if case .text = comparison { "\(key.string) is \(wanted)" } else { "\(key.string) \(wanted)" }
    }
}
