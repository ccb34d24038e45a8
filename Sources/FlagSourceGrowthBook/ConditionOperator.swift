import FlagModel

/// Evaluates operators on a value, such as `{"$gt": 18}`.
enum ConditionOperator {
    /// Whether an operator applies to a value.
    ///
    /// - Parameter value: `nil` for a missing attribute.
    static func check(_ name: String, _ expected: JSONValue, _ value: JSONValue?) -> Applicability {
        switch name {
        case "$eq": FeatureCondition.same(expected, value)
        case "$ne": FeatureCondition.same(expected, value).negated
        case "$lt", "$lte", "$gt", "$gte": order(name.dropFirst(), expected, value)
        case "$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte": version(name.dropFirst(2), expected, value)
        case "$in": isOne(of: expected, value)
        case "$nin": expected.kind == .array ? isOne(of: expected, value).negated : .doesNotApply
        case "$ini": isOne(of: expected, value, sameCase)
        case "$nini": expected.kind == .array ? isOne(of: expected, value, sameCase).negated : .doesNotApply
        case "$all": hasAll(expected, value)
        case "$size": size(expected, value)
        case "$exists":
            expected.bool.map { Applicability((value != nil) == $0) }
                ?? .unsupported("uses $exists with a value that is not true or false")
        case "$type": Applicability(typeName(value) == expected.text?.string)
        case "$not": FeatureCondition.check(expected, value: value).negated
        case "$regex": pattern(expected, value)
        case "$regexi": pattern(expected, value, ignoringCase: true)
        default: .unsupported("uses \(JSONOutput.quoted(name, limit: 60))")
        }
    }

    private typealias Comparison = (JSONValue, JSONValue?) -> Applicability

    /// Whether a list contains the value. If the value is a list too, one common element is enough.
    private static func isOne(
        of list: JSONValue, _ value: JSONValue?, _ compare: Comparison = FeatureCondition.same
    ) -> Applicability {
        var values = [value]
        if let value, value.kind == .array { values = value.elements.map { Optional($0) } }
        return .any(list.elements.flatMap { expected in values.map { compare(expected, $0) } })
    }

    /// Whether two values are the same in lower case. Programming languages agree on the lower case of ASCII texts
    /// only.
    private static func sameCase(_ expected: JSONValue, _ value: JSONValue?) -> Applicability {
        let same = FeatureCondition.same(expected, value)
        guard same == .doesNotApply, let first = expected.text?.string, let second = value?.text?.string else {
            return same
        }
        guard first.utf8.allSatisfy({ $0 < 128 }), second.utf8.allSatisfy({ $0 < 128 }) else {
            return .unsupported("ignores the case of letters that are not ASCII")
        }
        return Applicability(first.lowercased() == second.lowercased())
    }

    private static func hasAll(_ expected: JSONValue, _ value: JSONValue?) -> Applicability {
        guard expected.kind == .array, let value, value.kind == .array else { return .doesNotApply }
        return .all(
            expected.elements.map { expected in
                Applicability.any(value.elements.map { FeatureCondition.check(expected, value: $0) })
            })
    }

    private static func size(_ expected: JSONValue, _ value: JSONValue?) -> Applicability {
        guard let value, value.kind == .array else { return .doesNotApply }
        let count = (try? JSONDocument(parsing: Array("\(value.count)".utf8)))?.root
        return FeatureCondition.check(expected, value: count)
    }

    private static func typeName(_ value: JSONValue?) -> String {
        switch value?.kind {
        case .string: "string"
        case .number: "number"
        case .bool: "boolean"
        case .array: "array"
        case .object: "object"
        case .null, nil: "null"
        }
    }
}
