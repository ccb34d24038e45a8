import FlagModel

/// Evaluates operators on a value, such as `{"$gt": 18}`.
enum ConditionOperator {
    /// Whether an operator applies to a value.
    ///
    /// - Parameter value: `nil` for a missing attribute, which is the same as `null`.
    static func applies(_ name: String, _ operand: JSONValue, to value: JSONValue?) throws(UnknownRule) -> Bool {
        switch name {
        case "$eq": return isSame(value, operand)
        case "$ne": return !isSame(value, operand)
        case "$lt", "$lte", "$gt", "$gte":
            if let first = value?.text?.string, let second = operand.text?.string {
                return isOrdered(name.dropFirst(), Array(first.utf16), Array(second.utf16))
            }
            let (first, second) = (value.scriptNumber, Optional(operand).scriptNumber)
            return !first.isNaN && !second.isNaN && isOrdered(name.dropFirst(), [first], [second])
        case "$veq", "$vne", "$vlt", "$vlte", "$vgt", "$vgte":
            return isOrdered(name.dropFirst(2), version(value), version(operand))
        case "$in": return operand.kind == .array && isOne(of: operand, value)
        case "$nin": return operand.kind == .array && !isOne(of: operand, value)
        case "$ini": return operand.kind == .array && isOne(of: operand, value, ignoringCase: true)
        case "$nini": return operand.kind == .array && !isOne(of: operand, value, ignoringCase: true)
        case "$all":
            for expected in operand.elements {
                guard
                    try isAny(
                        of: value,
                        { (element) throws(UnknownRule) in
                            try FeatureCondition.isMatch(element, expected)
                        })
                else { return false }
            }
            return operand.kind == .array && value?.kind == .array
        case "$elemMatch":
            return try isAny(of: value) { (element) throws(UnknownRule) in
                guard Optional(element).isTrue else { return false }
                return FeatureCondition.hasOperators(operand)
                    ? try FeatureCondition.isMatch(element, operand)
                    : try FeatureCondition.applies(operand, to: element)
            }
        case "$size":
            guard let value, value.kind == .array else { return false }
            return try FeatureCondition.isMatch(
                (try? JSONDocument(parsing: Array("\(value.count)".utf8)))?.root, operand)
        case "$exists": return Optional(operand).isTrue == (value != nil)
        case "$type": return typeName(value) == operand.text?.string
        case "$not": return try !FeatureCondition.isMatch(value, operand)
        case "$regex": return try isFound(operand, in: value)
        case "$regexi": return try isFound(operand, in: value, ignoringCase: true)
        default: throw .unsupported("uses \(JSONOutput.quoted(name, limit: 60))")
        }
    }

    /// Whether two values are the same without a conversion. Lists and objects are never the same.
    private static func isSame(_ value: JSONValue?, _ other: JSONValue, ignoringCase: Bool = false) -> Bool {
        guard let value, value.kind != .null else { return other.kind == .null }
        guard value.kind == other.kind, let first = Optional(value).scriptText, let second = Optional(other).scriptText
        else { return false }
        return ignoringCase ? first.lowercased() == second.lowercased() : first == second
    }

    /// Whether a list contains the value. If the value is a list too, one common element is enough.
    private static func isOne(of list: JSONValue, _ value: JSONValue?, ignoringCase: Bool = false) -> Bool {
        let values = value?.kind == .array ? (value?.elements.map { Optional($0) } ?? []) : [value]
        return list.elements.contains { other in
            values.contains { isSame($0, other, ignoringCase: ignoringCase) }
        }
    }

    private static func isAny(
        of list: JSONValue?, _ matches: (JSONValue) throws(UnknownRule) -> Bool
    ) throws(UnknownRule) -> Bool {
        guard let list, list.kind == .array else { return false }
        for element in list.elements where try matches(element) { return true }
        return false
    }

    private static func isOrdered<Part: Comparable>(_ name: Substring, _ first: [Part], _ second: [Part]) -> Bool {
        switch name {
        case "lt": first.lexicographicallyPrecedes(second)
        case "lte": !second.lexicographicallyPrecedes(first)
        case "gt": second.lexicographicallyPrecedes(first)
        case "gte": !first.lexicographicallyPrecedes(second)
        case "eq": first == second
        default: first != second
        }
    }

    /// A version as a text that can be compared (`paddedVersionString` in `packages/sdk-js/src/util.ts`). A value that is
    /// neither a text nor a number is the version 0.
    private static func version(_ value: JSONValue?) -> [UInt16] {
        let isVersion = value?.kind == .string || value?.kind == .number
        let version = isVersion ? value.scriptText ?? "" : ""
        var text = (version.isEmpty ? "0" : version)[...]
        if text.hasPrefix("v") { text.removeFirst() }
        var parts = text.prefix { $0 != "+" }.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "." }
            .map(String.init)
        if parts.count == 3 { parts.append("~") }
        let isNumber = { (part: String) in !part.isEmpty && part.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
        let words = parts.map { part in
            isNumber(part) ? String(repeating: " ", count: max(0, 5 - part.utf8.count)) + part : part
        }
        return Array(words.joined(separator: "-").utf16)
    }

    private static func isFound(
        _ pattern: JSONValue, in value: JSONValue?, ignoringCase: Bool = false
    ) throws(UnknownRule) -> Bool {
        guard let text = pattern.text?.string, let pattern = SimplePattern(text, ignoringCase: ignoringCase),
            let matches = pattern.matches(value.scriptText ?? "")
        else { throw .unsupported("uses a regular expression with more than text, \".\", \"|\", ^ and $") }
        return matches
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
