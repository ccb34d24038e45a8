import FlagModel

/// Evaluates conditions (`packages/sdk-js/src/mongrule.ts`, and the Python SDK's `core.py`).
enum FeatureCondition {
    /// Whether a condition applies to attributes.
    static func check(_ condition: JSONValue, _ attributes: JSONValue?) -> Applicability {
        guard condition.kind == .object else { return .unsupported("has a condition that is not an object") }
        return .all(condition.members.map { check($0.key.string, $0.value, attributes) })
    }

    private static func check(_ name: String, _ expected: JSONValue, _ attributes: JSONValue?) -> Applicability {
        switch name {
        case "$or", "$nor", "$and":
            guard expected.kind == .array else { return .unsupported("has a \(name) that is not a list") }
            let checks = expected.elements.map { check($0, attributes) }
            if name == "$and" { return .all(checks) }
            // An empty list of alternatives applies.
            let result = checks.isEmpty ? .applies : Applicability.any(checks)
            return name == "$or" ? result : result.negated
        case "$not": return check(expected, attributes).negated
        default:
            guard !name.hasPrefix("$") else { return .unsupported("uses \(JSONOutput.quoted(name, limit: 60))") }
            return check(path: name, expected, attributes)
        }
    }

    /// Whether the attribute at a path, such as `account.plan`, has an expected value.
    private static func check(path: String, _ expected: JSONValue, _ attributes: JSONValue?) -> Applicability {
        var attribute = attributes
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            guard attribute?.kind != .array else { return .unsupported("reads an element of a list") }
            attribute = attribute?[String(part)]
        }
        return check(expected, value: attribute)
    }

    /// Whether a value is the same as the expected value or, if operators are expected, satisfies all of them.
    ///
    /// - Parameter value: `nil` for a missing attribute, which is the same as `null`.
    static func check(_ expected: JSONValue, value: JSONValue?) -> Applicability {
        let value = value.flatMap { $0.kind == .null ? nil : $0 }
        switch expected.kind {
        case .null: return Applicability(value == nil)
        case .array: return .unsupported("compares with a whole list")
        case .object:
            guard expected.count > 0, expected.members.allSatisfy({ $0.key.string.hasPrefix("$") }) else {
                return .unsupported("compares with a whole object")
            }
            return .all(expected.members.map { ConditionOperator.check($0.key.string, $0.value, value) })
        case .string, .number, .bool:
            guard let value else {
                // The JavaScript SDK converts a missing attribute to the text "null" or to 0.
                let isConverted = expected.text == "null" || expected.kind == .number && expected.safeNumber == 0
                return isConverted ? .differing("compares a missing attribute") : .doesNotApply
            }
            guard value.kind == expected.kind else {
                return .differing("compares \(value.kindWords) with \(expected.kindWords)")
            }
            return same(expected, value)
        }
    }

    /// Whether two values are the same without a conversion. Lists and objects are never the same.
    static func same(_ expected: JSONValue, _ value: JSONValue?) -> Applicability {
        guard let value, value.kind != .null else { return Applicability(expected.kind == .null) }
        guard value.kind == expected.kind else { return .doesNotApply }
        switch value.kind {
        case .string: return Applicability(value.text == expected.text)
        case .bool: return Applicability(value.bool == expected.bool)
        case .number:
            guard let first = value.safeNumber, let second = expected.safeNumber else {
                return .differing("compares a number with too many digits")
            }
            return Applicability(first == second)
        case .array, .object, .null: return .doesNotApply
        }
    }
}

extension JSONValue {
    /// A number that every programming language reads as the same value. `nil` for a number that may not be exact, and
    /// for other values.
    var safeNumber: Double? {
        guard kind == .number, let number = FlagReading.double(source), abs(number) <= 9_007_199_254_740_992 else {
            return nil
        }
        return number
    }
}
