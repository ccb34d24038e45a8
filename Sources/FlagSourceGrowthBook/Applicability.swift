/// Whether a condition applies to some attributes.
///
/// GrowthBook's SDKs differ in some cases: the JavaScript SDK compares loosely, the Python SDK strictly. The result of
/// such a case is `unknown`. So is the result of everything that this source does not support. Therefore no feature
/// gets a wrong value.
enum Applicability: Equatable {
    case applies, doesNotApply
    /// The reason follows the name of the rule in a sentence, such as `uses $inGroup, which is not supported`.
    case unknown(String)

    init(_ applies: Bool) { self = applies ? .applies : .doesNotApply }

    var negated: Applicability {
        switch self {
        case .applies: .doesNotApply
        case .doesNotApply: .applies
        case .unknown: self
        }
    }

    /// Whether all checks apply. If one check does not apply, the result is `doesNotApply`, even if other checks are
    /// unknown.
    static func all(_ checks: [Applicability]) -> Applicability {
        if checks.contains(.doesNotApply) { return .doesNotApply }
        return checks.first { $0 != .applies } ?? .applies
    }

    /// Whether any check applies. If one check applies, the result is `applies`, even if other checks are unknown.
    static func any(_ checks: [Applicability]) -> Applicability {
        if checks.contains(.applies) { return .applies }
        return checks.first { $0 != .doesNotApply } ?? .doesNotApply
    }

    /// The result of a case in which two SDKs may differ; `unknown` if their results differ.
    static func either(_ first: Bool, _ second: Bool, _ difference: String) -> Applicability {
        first == second ? Applicability(first) : .unknown("\(difference), which GrowthBook's SDKs treat differently")
    }

    static func differing(_ difference: String) -> Applicability { either(true, false, difference) }

    static func unsupported(_ words: String) -> Applicability { .unknown("\(words), which is not supported") }
}

/// Why a rule cannot be evaluated, as the end of a sentence.
struct UnknownRule: Error {
    let reason: String
}
