import FlagModel

/// Why a signal cannot be tested.
enum SignalTestError: Error, Hashable {
    /// firebase-admin ends with an error there, too.
    case unusable(String)
    /// Only what evaluates here cannot do it.
    case undecided(String)

    /// The same as the reason of a finding.
    var reason: ConditionFinding.Reason {
        switch self {
        case .unusable(let sentence): .error(sentence)
        case .undecided(let sentence): .undecided(sentence)
        }
    }
}

/// One signal and what it is compared with.
struct SignalTest {
    let value: SignalValue
    let targets: [SignalCondition.Target]

    /// Whether the comparison holds; `nil` where there is nothing to compare.
    func holds(_ comparison: SignalCondition.Operator) throws(SignalTestError) -> Bool? {
        switch comparison {
        case .text(.contains): try isAny(Self.isPart)
        case .text(.doesNotContain): try !isAny(Self.isPart)
        case .text(.equals):
            try isAny { $0.trimmed.unicodeScalars.elementsEqual($1.trimmed.unicodeScalars) }
        case .text(.matches):
            try isAny { (target, actual) throws(SignalTestError) in try ConditionPattern(target).isFound(in: actual) }
        case .number(let comparison): try numberOrder().map(comparison.holds)
        case .version(let comparison): versionOrder().map(comparison.holds)
        case .unknown, .missing: nil
        }
    }

    /// Whether a test of a target and the signal holds for any target. Only texts can be tested.
    private func isAny(
        _ test: (_ target: String, _ actual: String) throws(SignalTestError) -> Bool
    ) throws(SignalTestError) -> Bool {
        for target in targets {
            guard case .value(.text(let text)) = target else {
                throw .unusable("a text is compared with something that is none")
            }
            if try test(text, value.text) { return true }
        }
        return false
    }

    private static func isPart(_ target: String, of actual: String) -> Bool {
        actual.unicodeScalars.contains(target.unicodeScalars)
    }

    /// -1, 0 or 1; `nil` where one is no number.
    private func numberOrder() throws(SignalTestError) -> Int? {
        guard case .value(let target)? = targets.first else {
            throw .unusable("a number is compared with something that is no value")
        }
        if let target = target.integer, let actual = value.integer { return Self.order(actual, target) }
        guard let target = target.double, let actual = value.double else { return nil }
        return Self.order(actual, target)
    }

    private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
        left < right ? -1 : left > right ? 1 : 0
    }

    private func versionOrder() -> Int? {
        guard case .value(let target)? = targets.first else { return nil }
        return VersionOrder.compare(value.text, target.text)
    }
}
