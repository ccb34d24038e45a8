package import FlagModel

/// Whether a condition applies, and why.
package struct ConditionFinding: Sendable, Hashable {
    /// Whether it applies; unknown if it cannot be evaluated here, so that a user has to decide it.
    package let verdict: RemoteCondition.Verdict
    /// What decided it, as a part of a sentence, such as `level is 4, wanted > 5`.
    package let why: String

    /// Whether it certainly applies.
    package var holds: Bool { verdict == .holds }

    init(_ verdict: RemoteCondition.Verdict, _ why: String) { (self.verdict, self.why) = (verdict, why) }

    init(_ holds: Bool, _ why: String) { self.init(holds ? .holds : .doesNotHold, why) }
}
