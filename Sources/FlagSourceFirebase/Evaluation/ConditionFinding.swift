package import FlagFormats
package import FlagModel

/// Whether a condition holds, and why.
package struct ConditionFinding: Sendable, Hashable {
    /// What decided it.
    package enum Reason: Sendable, Hashable {
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
        /// It cannot be read, for that reason.
        case unreadable(String)
        /// More conditions stand in each other than firebase-admin follows.
        case tooDeep
        /// It cannot be evaluated here, for that reason: somebody has to decide it.
        case undecided(String)
    }

    /// Whether it holds.
    package let holds: Bool
    /// What decided it.
    package let reason: Reason
    /// The parts that were looked at, in order: the first one that decides is the last one.
    package let parts: [ConditionFinding]

    init(_ holds: Bool, _ reason: Reason, _ parts: [ConditionFinding] = []) {
        self.holds = holds
        self.reason = reason
        self.parts = parts
    }

    /// Why it cannot be evaluated here, so that somebody has to decide it; `nil` where it can.
    package var undecided: String? {
        if case .undecided(let sentence) = reason { return sentence }
        guard !holds, reason != .allOf || !parts.contains(where: \.isFalse) else { return nil }
        return parts.lazy.compactMap(\.undecided).first
    }

    /// Whether it certainly does not hold.
    var isFalse: Bool { !holds && undecided == nil }
}

extension ConditionFinding {
    /// The reason as a part of a sentence, such as `level is 4, wanted > 5`.
    package var sentence: String {
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
        case .unreadable(let sentence): "it \(sentence)"
        case .tooDeep: "more than \((ConditionEvaluator.depthLimit - 1) / 2) lists of conditions stand in each other"
        case .undecided(let sentence): sentence
        }
    }

    /// The same where the parts are not shown beside it: what those say that decided it.
    package var why: String {
        switch reason {
        case .anyOf where holds, .allOf where !holds: parts.last?.why ?? sentence
        case .anyOf, .allOf: parts.isEmpty ? sentence : parts.map(\.why).joined(separator: "; ")
        default: sentence
        }
    }

    private static func sentence(_ micro: Int, _ condition: PercentCondition) -> String {
        let seed = condition.seed.isEmpty ? " without a seed" : condition.seedWords
        return "the percentile\(seed) is \(PercentCondition.percent(Double(micro))), wanted \(condition.wish)"
    }

    private static func quoted(_ value: SignalValue) -> String {
        if case .text(let text) = value { return JSONOutput.quoted(text, limit: 60) }
        return value.text
    }
}
