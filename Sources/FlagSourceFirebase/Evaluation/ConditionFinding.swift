public import FlagModel

/// Whether a condition holds, and why.
public struct ConditionFinding: Sendable, Hashable {
    /// What decided it.
    public enum Reason: Sendable, Hashable {
        /// One of the parts holds, or none.
        case anyOf
        /// All of the parts hold, or one does not.
        case allOf
        /// It always holds.
        case always
        /// It never holds.
        case never
        /// The client's percentile, in millionths of a percent.
        case percentile(Int, PercentCondition)
        /// The context has no id to hash.
        case noRandomizationID
        /// The signal's value.
        case signal(SignalValue, SignalCondition)
        /// The context has no such signal, or one that counts as none.
        case noSignal(FlagText)
        /// The signal or the target is no number, or no version.
        case incomparable(SignalValue, SignalCondition)
        /// There is no operator, key or target.
        case incomplete
        /// Firebase's own word for an operator that firebase-admin does not know.
        case unknownOperator(FlagText)
        /// The name of a kind that firebase-admin does not know.
        case unknownKind(FlagText?)
        /// More conditions stand in each other than firebase-admin follows.
        case tooDeep
        /// It cannot be evaluated here, for that reason: somebody has to decide it.
        case undecided(String)
        /// firebase-admin ends with an error here.
        case error(String)
    }

    /// Whether it holds.
    public let holds: Bool
    /// What decided it.
    public let reason: Reason
    /// The parts that were looked at, in order: the first one that decides is the last one.
    public let parts: [ConditionFinding]

    init(_ holds: Bool, _ reason: Reason, _ parts: [ConditionFinding] = []) {
        self.holds = holds
        self.reason = reason
        self.parts = parts
    }

    /// What firebase-admin would end with, here or in a part; `nil` where it would not.
    public var error: String? {
        if case .error(let sentence) = reason { return sentence }
        return parts.lazy.compactMap(\.error).first
    }

    /// Why it cannot be evaluated here, so that somebody has to decide it; `nil` where it can.
    public var undecided: String? {
        if case .undecided(let sentence) = reason { return sentence }
        guard !holds, reason != .allOf || !parts.contains(where: \.isFalse) else { return nil }
        return parts.lazy.compactMap(\.undecided).first
    }

    /// Whether it certainly does not hold.
    var isFalse: Bool { !holds && undecided == nil }
}

extension ConditionFinding {
    /// The reason as a part of a sentence, such as `level is 4, wanted > 5`.
    public var sentence: String {
        switch reason {
        case .anyOf where parts.isEmpty: "there is no condition of which any could hold"
        case .anyOf: holds ? "one of these holds" : "none of these holds"
        case .allOf where parts.isEmpty: "there is no condition that would have to hold"
        case .allOf: holds ? "all of these hold" : "one of these does not hold"
        case .always: "it always holds"
        case .never: "it never holds"
        case .percentile(let micro, let condition): Self.sentence(micro, condition)
        case .noRandomizationID: "the context has no randomization id"
        case .signal(let value, let condition):
            "\(condition.key.string) is \(Self.quoted(value)), wanted \(condition.wish)"
        case .noSignal(let key): "the context has no signal \(key.string)"
        case .incomparable(let value, let condition):
            "\(condition.key.string) is \(Self.quoted(value)), which cannot be compared: wanted \(condition.wish)"
        case .incomplete: "it has no operator, no signal or no value to compare with"
        case .unknownOperator(let word): "the operator \(word.quoted) is unknown"
        case .unknownKind(let word): word.map { "conditions of the kind \($0.quoted) are unknown" } ?? "it is empty"
        case .tooDeep: "more than \((ConditionEvaluator.depthLimit - 1) / 2) lists of conditions stand in each other"
        case .undecided(let sentence): sentence
        case .error(let sentence): "firebase-admin ends with an error: \(sentence)"
        }
    }

    /// The same where the parts are not shown beside it: what those say that decided it.
    public var why: String {
        switch reason {
        case .anyOf where holds, .allOf where !holds: parts.last?.why ?? sentence
        case .anyOf, .allOf: parts.isEmpty ? sentence : parts.map(\.why).joined(separator: "; ")
        default: sentence
        }
    }

    private static func sentence(_ micro: Int, _ condition: PercentCondition) -> String {
        let seed =
            condition.seed.isEmpty ? "without a seed" : "with the seed \(JSONOutput.quoted(condition.seed, limit: 60))"
        return "the percentile \(seed) is \(percent(Double(micro))), wanted \(condition.wish)"
    }

    static func quoted(_ value: SignalValue) -> String {
        if case .text(let text) = value { return JSONOutput.quoted(text, limit: 60) }
        return value.text
    }

    /// Millionths of a percent as a percentage without needless zeros.
    static func percent(_ micro: Double) -> String {
        let text = (micro / 1_000_000).description
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " %"
    }
}

extension PercentCondition {
    /// What it wants, such as `> 10 %`.
    public var wish: String {
        func text(_ bound: Bound) -> String {
            guard case .micro(let micro) = bound else { return "something that is no number" }
            return ConditionFinding.percent(micro)
        }
        return switch comparison {
        case .lessOrEqual: "<= \(text(bound))"
        case .greaterThan: "> \(text(bound))"
        case .between: "> \(text(lower)) and <= \(text(upper))"
        case .unknown(let word): word.quoted
        case .missing: "nothing"
        }
    }
}

extension SignalCondition {
    /// What it wants, such as `>= "5"` or `a text that contains "a" or "b"`.
    public var wish: String {
        let all = (targets ?? []).map { target in
            if case .value(let value) = target { ConditionFinding.quoted(value) } else { "something that is no value" }
        }
        let any = all.joined(separator: " or ")
        return switch comparison {
        case .text(.contains): "a text that contains \(any)"
        case .text(.doesNotContain): "a text that does not contain \(any)"
        case .text(.equals): any
        case .text(.matches): "a text with a part like \(any)"
        case .number(let comparison), .version(let comparison): "\(comparison.sign) \(all.first ?? "nothing")"
        case .unknown(let word): word.quoted
        case .missing: "nothing"
        }
    }
}
