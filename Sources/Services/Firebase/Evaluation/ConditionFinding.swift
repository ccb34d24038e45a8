package import FlagModel

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
