import FlagModel

extension ConditionNode {
    /// The rule in words, such as `platform is "ios" and percentile <= 10 %`. Parts that are lists themselves stand in
    /// parentheses.
    public var words: String {
        switch self {
        case .anyOf(let nodes): Self.joined(nodes, "or") ?? "any of nothing"
        case .allOf(let nodes): Self.joined(nodes, "and") ?? "all of nothing"
        case .always: "always"
        case .never: "never"
        case .percent(let condition): condition.words
        case .customSignal(let condition): condition.words
        case .unknown(let kind): kind.map { "a condition of the unknown kind \($0.quoted)" } ?? "an empty condition"
        case .unusable(let sentence): "a condition that cannot be used: \(sentence)"
        }
    }

    /// The signals that the rule goes by, each once.
    var signals: [String] {
        switch self {
        case .anyOf(let nodes), .allOf(let nodes):
            nodes.flatMap(\.signals).reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
        case .percent: [TemplateContext.randomizationKey.string]
        case .customSignal(let condition): condition.key.isEmpty ? [] : [condition.key.string]
        case .always, .never, .unknown, .unusable: []
        }
    }

    private static func joined(_ nodes: [ConditionNode], _ word: String) -> String? {
        guard let first = nodes.first else { return nil }
        if nodes.count == 1 { return first.words }
        return nodes.map { $0.isList ? "(\($0.words))" : $0.words }.joined(separator: " \(word) ")
    }

    /// Whether its words are those of several conditions.
    private var isList: Bool {
        switch self {
        case .anyOf(let nodes), .allOf(let nodes): nodes.count > 1 || nodes.first?.isList == true
        default: false
        }
    }
}

extension PercentCondition {
    fileprivate var words: String {
        let seed = seed.isEmpty ? "" : " with the seed \(JSONOutput.quoted(seed, limit: 60))"
        return "percentile\(seed) \(wish)"
    }
}

extension SignalCondition {
    fileprivate var words: String {
        switch comparison {
        case .text: "\(key.string) is \(wish)"
        case .number, .version, .unknown, .missing: "\(key.string) \(wish)"
        }
    }
}
