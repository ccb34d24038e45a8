import FlagModel

/// Decodes conditions like `_ConditionEvaluator` of firebase_admin/remote_config.py 7.5.0: a member that is false, zero
/// or empty counts as missing. An invalid part never applies; firebase-admin fails at some invalid parts, but Firebase
/// does not publish such templates.
extension FirebaseTemplateReader {
    mutating func readNode(_ value: JSONValue, of condition: String) -> ConditionNode {
        do throws(UnreadableCondition) {
            return try node(value, of: condition)
        } catch {
            log.add("a part of the condition \(condition) \(error.sentence); it never applies", at: error.value)
            return .unreadable(error.sentence)
        }
    }

    private mutating func node(_ value: JSONValue, of condition: String) throws(UnreadableCondition) -> ConditionNode {
        if let any = value.present("orCondition") { return .anyOf(try nodes(any, of: condition)) }
        if let all = value.present("andCondition") { return .allOf(try nodes(all, of: condition)) }
        if value.present("true") != nil { return .always }
        if value.present("false") != nil { return .never }
        if let percent = value.present("percent") { return .percent(try PercentCondition(percent)) }
        if let signal = value.present("customSignal") { return .customSignal(try SignalCondition(signal)) }
        let kind = value.members.first { _ in true }?.key
        throw UnreadableCondition(value, kind.map { "is of the unknown kind \($0.quoted)" } ?? "has no kind")
    }

    private mutating func nodes(
        _ value: JSONValue, of condition: String
    ) throws(UnreadableCondition) -> [ConditionNode] {
        guard value.kind == .object else { throw UnreadableCondition(value, "is a list that is \(value.kindWords)") }
        guard let list = value.truthy("conditions") else { return [] }
        guard list.kind == .array else { throw UnreadableCondition(list, "is a list that is \(list.kindWords)") }
        return list.elements.map { readNode($0, of: condition) }
    }
}

/// Why a part of a condition is invalid.
private struct UnreadableCondition: Error {
    let value: JSONValue
    let sentence: String

    init(_ value: JSONValue, _ sentence: String) {
        (self.value, self.sentence) = (value, sentence)
    }

    /// The error of an operator that is missing or unknown.
    init(operator name: String, of value: JSONValue) {
        self.init(value, value.truthy(name).map { "has the unknown operator \($0.source)" } ?? "has no operator")
    }
}

extension PercentCondition {
    fileprivate init(_ value: JSONValue) throws(UnreadableCondition) {
        let range = value["microPercentRange"]
        switch value["percentOperator"]?.text?.string {
        case "LESS_OR_EQUAL": (lower, upper) = (nil, try Self.bound(value, "microPercent"))
        case "GREATER_THAN": (lower, upper) = (try Self.bound(value, "microPercent"), nil)
        case "BETWEEN":
            lower = try Self.bound(range, "microPercentLowerBound")
            upper = try Self.bound(range, "microPercentUpperBound")
        default: throw UnreadableCondition(operator: "percentOperator", of: value)
        }
        seed = value.truthy("seed")?.flagText?.string ?? ""
    }

    private static func bound(_ value: JSONValue?, _ key: String) throws(UnreadableCondition) -> Double {
        guard let bound = value?.truthy(key) else { return 0 }
        guard bound.kind == .number, let micro = Double(bound.source) else {
            throw UnreadableCondition(bound, "has \(bound.kindWords) as \"\(key)\"")
        }
        return micro
    }
}

extension SignalCondition {
    fileprivate init(_ value: JSONValue) throws(UnreadableCondition) {
        guard let comparison = value["customSignalOperator"]?.text.flatMap({ Operator($0.string) }) else {
            throw UnreadableCondition(operator: "customSignalOperator", of: value)
        }
        guard let key = value["customSignalKey"]?.text, !key.isEmpty else {
            throw UnreadableCondition(value, "names no signal")
        }
        guard let list = value["targetCustomSignalValues"], list.kind == .array, list.count > 0 else {
            throw UnreadableCondition(value, "compares with nothing")
        }
        if let invalid = list.elements.first(where: { $0.kind != .string }) {
            throw UnreadableCondition(invalid, "compares with \(invalid.kindWords), not with a string")
        }
        self.init(comparison: comparison, key: key, targets: list.elements.compactMap { $0.text?.string })
    }
}

extension SignalCondition.Operator {
    /// The operator with a name such as `NUMERIC_LESS_THAN`; `nil` for an unknown name.
    fileprivate init?(_ word: String) {
        if let test = SignalCondition.TextTest(rawValue: word) {
            self = .text(test)
        } else if word.hasPrefix("NUMERIC_"),
            let comparison = SignalCondition.Comparison(rawValue: String(word.dropFirst(8)))
        {
            self = .number(comparison)
        } else if word.hasPrefix("SEMANTIC_VERSION_"),
            let comparison = SignalCondition.Comparison(rawValue: String(word.dropFirst(17)))
        {
            self = .version(comparison)
        } else {
            return nil
        }
    }
}
