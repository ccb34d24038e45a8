import FlagModel

/// Evaluates conditions as GrowthBook's SDK for JavaScript does (`packages/sdk-js/src/mongrule.ts`). A condition that is
/// not supported is an ``UnknownRule``, so that no feature gets a wrong value.
enum FeatureCondition {
    /// Whether a condition applies to attributes.
    static func applies(_ condition: JSONValue, to attributes: JSONValue?) throws -> Bool {
        guard condition.kind == .object else { throw UnknownRule(reason: "has a condition that is not an object") }
        return try condition.members.allSatisfy { try applies($0.key.string, $0.value, to: attributes) }
    }

    private static func applies(_ name: String, _ expected: JSONValue, to attributes: JSONValue?) throws -> Bool {
        switch name {
        case "$and", "$or", "$nor":
            guard expected.kind == .array else { throw UnknownRule.unsupported("has a \(name) that is not a list") }
            let parts = expected.elements
            if name == "$and" { return try parts.allSatisfy { try applies($0, to: attributes) } }
            // One of no alternatives applies.
            let isAny = try expected.count == 0 || parts.contains { try applies($0, to: attributes) }
            return isAny == (name == "$or")
        case "$not": return try !applies(expected, to: attributes)
        case let name where name.hasPrefix("$"):
            throw UnknownRule.unsupported("uses \(JSONOutput.quoted(name, limit: 60))")
        default: return try isMatch(attribute(at: name, of: attributes), expected)
        }
    }

    /// The attribute at a path, such as `account.plan`; `nil` if it is missing or `null`.
    private static func attribute(at path: String, of attributes: JSONValue?) throws -> JSONValue? {
        var attribute = attributes
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            guard attribute?.kind != .array else { throw UnknownRule.unsupported("reads an element of a list") }
            attribute = attribute?[String(part)]
        }
        return attribute.flatMap { $0.kind == .null ? nil : $0 }
    }

    /// Whether a value is the same as the expected value or, if operators are expected, satisfies all of them.
    ///
    /// - Parameter value: `nil` for a missing attribute, which is the same as `null`.
    private static func isMatch(_ value: JSONValue?, _ expected: JSONValue) throws -> Bool {
        switch expected.kind {
        case .null: value == nil
        case .string: value.scriptText == expected.text?.string
        case .number: value.scriptNumber == Optional(expected).scriptNumber
        case .bool: value != nil && value.isTrue == expected.bool
        case .object where hasOperators(expected):
            try expected.members.allSatisfy { try satisfies($0.key.string, $0.value, value) }
        case .array, .object: value?.compactJSON == expected.compactJSON
        }
    }

    /// Whether an object has only operators, such as `{"$gt": 18}`.
    private static func hasOperators(_ value: JSONValue) -> Bool {
        value.count > 0 && value.members.allSatisfy { $0.key.string.hasPrefix("$") }
    }

    /// Whether a value satisfies an operator.
    private static func satisfies(_ name: String, _ operand: JSONValue, _ value: JSONValue?) throws -> Bool {
        let elements = value.map { Array($0.elements) } ?? []
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
        case "$in", "$ini", "$nin", "$nini":
            let values = value?.kind == .array ? elements.map { Optional($0) } : [value]
            // If the value is a list too, one common element is enough.
            let isIn = operand.elements.contains { other in
                values.contains { isSame($0, other, ignoringCase: name.hasSuffix("ini")) }
            }
            return operand.kind == .array && isIn != name.hasPrefix("$n")
        case "$all":
            return try operand.kind == .array && value?.kind == .array
                && operand.elements.allSatisfy { expected in try elements.contains { try isMatch($0, expected) } }
        case "$elemMatch":
            return try elements.contains { element in
                try Optional(element).isTrue
                    && (hasOperators(operand) ? isMatch(element, operand) : applies(operand, to: element))
            }
        case "$size":
            guard value?.kind == .array else { return false }
            return try isMatch((try? JSONDocument(parsing: Array("\(elements.count)".utf8)))?.root, operand)
        case "$exists": return Optional(operand).isTrue == (value != nil)
        case "$type": return typeName(value) == operand.text?.string
        case "$not": return try !isMatch(value, operand)
        case "$regex", "$regexi": return try isFound(operand, in: value, ignoringCase: name == "$regexi")
        default: throw UnknownRule.unsupported("uses \(JSONOutput.quoted(name, limit: 60))")
        }
    }

    /// Whether two values are the same without a conversion. Lists and objects are never the same.
    private static func isSame(_ value: JSONValue?, _ other: JSONValue, ignoringCase: Bool = false) -> Bool {
        guard let value, value.kind != .null else { return other.kind == .null }
        guard value.kind == other.kind, let first = Optional(value).scriptText, let second = Optional(other).scriptText
        else { return false }
        return ignoringCase ? first.lowercased() == second.lowercased() : first == second
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
        if parts.count == 3 { parts.append("~") }
        let words = parts.map { part in
            let isNumber = !part.isEmpty && part.utf8.allSatisfy { 0x30...0x39 ~= $0 }
            return isNumber ? String(repeating: " ", count: max(0, 5 - part.utf8.count)) + part : String(part)
        }
        return Array(words.joined(separator: "-").utf16)
    }

    /// Whether a regular expression occurs in a value. Only those are supported that mean the same in every language, and
    /// take few steps: ASCII text, `.`, escaped punctuation, `^` at the start, `$` at the end, and alternatives.
    private static func isFound(_ pattern: JSONValue, in value: JSONValue?, ignoringCase: Bool) throws -> Bool {
        let alternative = #"\^?(?:[^\\^$*+?()\[\]{}|]|\\[^A-Za-z0-9 ])*\$?"#
        let simple = try Regex("(?:\(alternative)\\|)*\(alternative)")
        let text = value.scriptText ?? ""
        guard let pattern = pattern.text?.string, pattern.utf8.count <= 500, try simple.wholeMatch(in: pattern) != nil,
            (pattern + text).utf8.allSatisfy({ 0x20...0x7E ~= $0 })
        else {
            throw UnknownRule.unsupported("uses a regular expression with more than text, \".\", \"|\", ^ and $")
        }
        return try Regex(pattern).ignoresCase(ignoringCase).firstMatch(in: text) != nil
    }

    private static func typeName(_ value: JSONValue?) -> String {
        switch value?.kind {
        case .bool: "boolean"
        case nil: "null"
        case let kind?: "\(kind)"
        }
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
