import FlagModel

/// One signal and what it is compared with.
struct SignalTest {
    let value: SignalValue
    let targets: [SignalCondition.Target]

    /// Whether the comparison holds; `nil` where there is nothing to compare.
    ///
    /// - Throws: what firebase-admin ends with.
    func holds(_ comparison: SignalCondition.Operator) throws(PatternError) -> Bool? {
        switch comparison {
        case .text(.contains): try isAny { PythonText.contains($1, $0) }
        case .text(.doesNotContain): try !isAny { PythonText.contains($1, $0) }
        case .text(.equals): try isAny { PythonText.stripped($0) == PythonText.stripped($1) }
        case .text(.matches): try isAny(Self.matches)
        case .number(let comparison): try numberOrder().map(comparison.holds)
        case .version(let comparison): versionOrder().map(comparison.holds)
        case .unknown, .missing: nil
        }
    }

    /// Whether a test of a target and the signal holds for any target. Only texts can be tested.
    private func isAny(
        _ test: (_ target: String, _ actual: String) throws(PatternError) -> Bool
    ) throws(PatternError) -> Bool {
        for target in targets {
            guard case .value(.text(let text)) = target else {
                throw PatternError(problem: "a text is compared with something that is none")
            }
            if try test(text, value.text) { return true }
        }
        return false
    }

    private static func matches(_ pattern: String, _ actual: String) throws(PatternError) -> Bool {
        do throws(PatternError) {
            return try PatternSearch.finds(PatternProgram(pattern), in: actual)
        } catch {
            throw PatternError(
                problem:
                    "the regular expression \(JSONOutput.quoted(pattern, limit: 60)) cannot be used: \(error.problem)")
        }
    }

    /// -1, 0 or 1; `nil` where one is no number. What is not a number at all (NaN) is neither below nor above.
    private func numberOrder() throws(PatternError) -> Int? {
        guard case .value(let target)? = targets.first else {
            throw PatternError(problem: "a number is compared with something that is no value")
        }
        guard let target = target.double, let actual = value.double else { return nil }
        return actual < target ? -1 : actual > target ? 1 : 0
    }

    private func versionOrder() -> Int? {
        guard case .value(let target)? = targets.first else { return nil }
        return VersionOrder.compare(value.text, target.text)
    }
}
