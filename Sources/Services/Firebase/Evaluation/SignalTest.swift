import FlagFormats
import FlagModel
import FlagRemote

/// Why a condition cannot be evaluated here, so that the user has to decide whether it applies.
struct UnsupportedCondition: Error, Hashable {
    let reason: String
}

extension SignalCondition {
    /// Whether the condition applies to a value of the signal; `nil` if the value cannot be compared.
    func applies(for value: ContextValue) throws(UnsupportedCondition) -> Bool? {
        let actual = value.signalText
        switch comparison {
        case .text(.contains): return targets.contains { Self.isPart($0, of: actual) }
        case .text(.doesNotContain): return !targets.contains { Self.isPart($0, of: actual) }
        case .text(.equals):
            return targets.contains { $0.trimmed.unicodeScalars.elementsEqual(actual.trimmed.unicodeScalars) }
        case .text(.matches):
            for target in targets where try ConditionPattern(target).isFound(in: actual) { return true }
            return false
        case .number(let comparison): return numberOrder(value).map(comparison.applies)
        case .version(let comparison):
            guard let target = targets.first.flatMap(Self.version), let actual = Self.version(actual) else {
                return nil
            }
            return comparison.applies(Self.order(actual, target))
        }
    }

    private static func isPart(_ target: String, of actual: String) -> Bool {
        actual.unicodeScalars.contains(target.unicodeScalars)
    }

    /// -1, 0 or 1 if the value is below, equal to or above the target; `nil` if the value or target is not a number.
    private func numberOrder(_ value: ContextValue) -> Int? {
        guard let target = targets.first.map({ ContextValue.text($0) }) else { return nil }
        if let target = target.integer, let actual = value.integer { return Self.order([actual], [target]) }
        guard let target = target.double, let actual = value.double else { return nil }
        return Self.order([actual], [target])
    }

    /// The numbers of a version, which are separated by points; `nil` for a text that is not a version. Zeros at the end
    /// do not count.
    private static func version(_ text: String) -> [UInt]? {
        let components = text.trimmed.split(separator: ".", omittingEmptySubsequences: false)
        var numbers = components.compactMap { UInt($0) }
        guard numbers.count == components.count else { return nil }
        while numbers.last == 0 { numbers.removeLast() }
        return numbers
    }

    private static func order<Number: Comparable>(_ left: [Number], _ right: [Number]) -> Int {
        left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
    }
}
