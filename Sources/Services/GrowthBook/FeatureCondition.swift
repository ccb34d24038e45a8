import FlagModel

/// Evaluates conditions as GrowthBook's SDK for JavaScript does (`packages/sdk-js/src/mongrule.ts`). A condition that is
/// not supported is an error, so that no feature gets a wrong value.
enum FeatureCondition {
    /// Whether a condition applies to attributes.
    static func applies(_ condition: JSONValue, to attributes: JSONValue?) throws(UnknownRule) -> Bool {
        guard condition.kind == .object else { throw UnknownRule(reason: "has a condition that is not an object") }
        for (key, expected) in condition.members {
            guard try applies(key.string, expected, to: attributes) else { return false }
        }
        return true
    }

    private static func applies(
        _ name: String, _ expected: JSONValue, to attributes: JSONValue?
    ) throws(UnknownRule) -> Bool {
        switch name {
        case "$and":
            for part in try list(expected, of: name) where try !applies(part, to: attributes) { return false }
            return true
        case "$or": return try isAny(of: list(expected, of: name), for: attributes)
        case "$nor": return try !isAny(of: list(expected, of: name), for: attributes)
        case "$not": return try !applies(expected, to: attributes)
        case let name where name.hasPrefix("$"): throw .unsupported("uses \(JSONOutput.quoted(name, limit: 60))")
        default: return try isMatch(attribute(at: name, of: attributes), expected)
        }
    }

    private static func list(_ value: JSONValue, of name: String) throws(UnknownRule) -> [JSONValue] {
        guard value.kind == .array else { throw .unsupported("has a \(name) that is not a list") }
        return Array(value.elements)
    }

    /// Whether one of the alternatives applies; an empty list applies.
    private static func isAny(
        of conditions: [JSONValue], for attributes: JSONValue?
    ) throws(UnknownRule) -> Bool {
        for condition in conditions where try applies(condition, to: attributes) { return true }
        return conditions.isEmpty
    }

    /// The attribute at a path, such as `account.plan`; `nil` if it is missing or `null`.
    private static func attribute(at path: String, of attributes: JSONValue?) throws(UnknownRule) -> JSONValue? {
        var attribute = attributes
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            guard attribute?.kind != .array else { throw .unsupported("reads an element of a list") }
            attribute = attribute?[String(part)]
        }
        return attribute.flatMap { $0.kind == .null ? nil : $0 }
    }

    /// Whether a value is the same as the expected value or, if operators are expected, satisfies all of them.
    ///
    /// - Parameter value: `nil` for a missing attribute, which is the same as `null`.
    static func isMatch(_ value: JSONValue?, _ expected: JSONValue) throws(UnknownRule) -> Bool {
        switch expected.kind {
        case .null: return value == nil
        case .string: return value.scriptText == expected.text?.string
        case .number: return value.scriptNumber == Optional(expected).scriptNumber
        case .bool: return value != nil && value.isTrue == expected.bool
        case .object where hasOperators(expected):
            for (name, operand) in expected.members {
                guard try ConditionOperator.applies(name.string, operand, to: value) else { return false }
            }
            return true
        case .array, .object: return value?.compactJSON == expected.compactJSON
        }
    }

    /// Whether an object has only operators, such as `{"$gt": 18}`.
    static func hasOperators(_ value: JSONValue) -> Bool {
        value.count > 0 && value.members.allSatisfy { $0.key.string.hasPrefix("$") }
    }
}

// Values as JavaScript converts them; `nil` is `null`.
extension JSONValue? {
    /// The value as a text; `nil` for lists and objects.
    var scriptText: String? {
        guard let self else { return "null" }
        switch self.kind {
        case .string: return self.text?.string
        case .number:
            let number = Optional(self).scriptNumber
            return Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .bool, .null: return self.source
        case .array, .object: return nil
        }
    }

    /// The value as a number; NaN for a text that is not one, for lists and for objects.
    var scriptNumber: Double {
        guard let self else { return 0 }
        switch self.kind {
        case .number: return FlagReading.double(self.source) ?? .nan
        case .bool: return self.bool == true ? 1 : 0
        case .null: return 0
        case .string:
            let text = self.text?.string.trimmed ?? ""
            return text.isEmpty ? 0 : Double(text) ?? .nan
        case .array, .object: return .nan
        }
    }

    /// Whether a condition takes the value for true: all but 0, an empty text and `false`.
    var isTrue: Bool {
        guard let self else { return false }
        switch self.kind {
        case .string: return self.text?.isEmpty == false
        case .array, .object: return true
        case .number, .bool, .null: return Optional(self).scriptNumber != 0
        }
    }
}
