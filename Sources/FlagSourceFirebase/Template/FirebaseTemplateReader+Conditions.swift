import FlagModel

/// Conditions as `_ConditionEvaluator` of firebase_admin/remote_config.py 7.5.0 takes them apart. Each rule here is one of
/// its `get` calls: which members it asks for, in which order, and whether a false one is as good as none.
extension FirebaseTemplateReader {
    mutating func readNode(_ value: JSONValue, of name: String) -> ConditionNode {
        guard value.kind == .object else { return unusable("a part of the condition \(name)", value) }
        if let any = value.present("orCondition") { return readParts(any, of: name, ConditionNode.anyOf) }
        if let all = value.present("andCondition") { return readParts(all, of: name, ConditionNode.allOf) }
        if value.present("true") != nil { return .always }
        if value.present("false") != nil { return .never }
        if let percent = value.present("percent") { return readPercent(percent, of: name) }
        if let signal = value.present("customSignal") { return readSignal(signal, of: name) }
        let kind = value.members.first { _ in true }?.key
        note(
            "the condition \(name) has a part \(kind.map { "of the unknown kind \($0.quoted)" } ?? "without a kind"); "
                + "it never holds", at: value)
        return .unknown(kind)
    }

    private mutating func readParts(
        _ value: JSONValue, of name: String, _ node: ([ConditionNode]) -> ConditionNode
    ) -> ConditionNode {
        guard value.kind == .object else { return unusable("a list of conditions in \(name)", value) }
        guard let list = value.truthy("conditions") else { return node([]) }
        guard list.kind == .array else { return unusable("\"conditions\" of the condition \(name)", list) }
        return node(list.elements.map { readNode($0, of: name) })
    }

    private mutating func readPercent(_ value: JSONValue, of name: String) -> ConditionNode {
        guard value.kind == .object else {
            let fault = fault("\"percent\" of the condition \(name)", value)
            return .percent(
                PercentCondition(
                    comparison: .unknown(""), seed: "", bound: .unusable, lower: .unusable, upper: .unusable,
                    fault: fault))
        }
        let range = value.truthy("microPercentRange")
        let seed = value.truthy("seed")
        return .percent(
            PercentCondition(
                comparison: readPercentOperator(value, of: name),
                seed: seed.map { SignalValue($0)?.text ?? $0.source } ?? "",
                bound: readBound(value, "microPercent", of: name),
                lower: readBound(range, "microPercentLowerBound", of: name),
                upper: readBound(range, "microPercentUpperBound", of: name),
                fault: range.flatMap {
                    $0.kind == .object ? nil : fault("\"microPercentRange\" of the condition \(name)", $0)
                }))
    }

    private mutating func readPercentOperator(_ value: JSONValue, of name: String) -> PercentCondition.Operator {
        guard let word = value.truthy("percentOperator") else {
            note("a percent condition of \(name) has no operator; it never holds", at: value)
            return .missing
        }
        switch word.text?.string {
        case "LESS_OR_EQUAL": return .lessOrEqual
        case "GREATER_THAN": return .greaterThan
        case "BETWEEN": return .between
        default:
            note("a percent condition of \(name) has an unknown operator; it never holds", at: word)
            return .unknown(word.flagText ?? "")
        }
    }

    private mutating func readBound(_ value: JSONValue?, _ key: String, of name: String) -> PercentCondition.Bound {
        guard let number = value?.truthy(key) else { return .micro(0) }
        switch SignalValue(number) {
        case .integer?, .number?, .bool?: return .micro(SignalValue(number)?.double ?? 0)
        case .text?, nil:
            if number.kind == .number, let double = Double(number.source) { return .micro(double) }
            _ = fault("\"\(key)\" of the condition \(name)", number)
            return .unusable
        }
    }

    private mutating func readSignal(_ value: JSONValue, of name: String) -> ConditionNode {
        guard value.kind == .object else { return unusable("\"customSignal\" of the condition \(name)", value) }
        let key = value.truthy("customSignalKey")
        let comparison = readSignalOperator(value, of: name)
        let targets = readTargets(value, of: name)
        if let key, key.kind != .string {
            let isComplete = comparison != .missing && targets?.isEmpty != true
            // firebase-admin cannot look for a list; any other key is one that no signal has.
            let stops = isComplete && (key.kind == .array || key.kind == .object)
            guard stops else {
                note("a signal condition of \(name) names its signal with \(key.kindWords); it never holds", at: key)
                return .unknown("customSignal")
            }
            return unusable("\"customSignalKey\" of the condition \(name)", key)
        }
        if key == nil { note("a signal condition of \(name) names no signal; it never holds", at: value) }
        return .customSignal(SignalCondition(comparison: comparison, key: key?.text ?? "", targets: targets))
    }

    private mutating func readTargets(_ value: JSONValue, of name: String) -> [SignalCondition.Target]? {
        guard let list = value.truthy("targetCustomSignalValues") else {
            note("a signal condition of \(name) compares with nothing; it never holds", at: value)
            return []
        }
        guard list.kind == .array else {
            _ = fault("\"targetCustomSignalValues\" of the condition \(name)", list)
            return nil
        }
        return list.elements.map { target in
            if target.kind != .string {
                note("a signal condition of \(name) compares with \(target.kindWords); expected a string", at: target)
            }
            return SignalValue(target).map { .value($0) } ?? .unusable
        }
    }

    private mutating func readSignalOperator(_ value: JSONValue, of name: String) -> SignalCondition.Operator {
        guard let word = value.truthy("customSignalOperator") else {
            note("a signal condition of \(name) has no operator; it never holds", at: value)
            return .missing
        }
        if let comparison = SignalCondition.Operator(word.text?.string ?? "") { return comparison }
        note("a signal condition of \(name) has an unknown operator; it never holds", at: word)
        return .unknown(word.flagText ?? "")
    }

    private mutating func unusable(_ what: String, _ value: JSONValue) -> ConditionNode {
        .unusable(fault(what, value))
    }

    private mutating func fault(_ what: String, _ value: JSONValue) -> String {
        let sentence = "\(what) is \(value.kindWords)"
        note("\(sentence); firebase-admin ends with an error there", at: value)
        return sentence
    }
}

extension SignalCondition.Operator {
    /// The operator of a word such as `NUMERIC_LESS_THAN`; `nil` for an unknown one.
    init?(_ word: String) {
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
