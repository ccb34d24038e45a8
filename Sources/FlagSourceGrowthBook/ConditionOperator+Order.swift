import FlagModel

// Operators that compare the order of two values, or search a text.
extension ConditionOperator {
    static func order(_ name: Substring, _ expected: JSONValue, _ value: JSONValue?) -> Applicability {
        if let first = value?.safeNumber, let second = expected.safeNumber {
            return Applicability(isOrdered(name, [first], [second]))
        }
        if let first = value?.text?.string, let second = expected.text?.string {
            return Applicability(isOrdered(name, Array(first.utf16), Array(second.utf16)))
        }
        let difference = "compares the order of values of two types"
        guard value == nil else { return .differing(difference) }
        // The JavaScript SDK converts a missing attribute to 0, and a date to a value without an order. The Python SDK
        // converts neither.
        if let number = expected.safeNumber { return .either(isOrdered(name, [0], [number]), false, difference) }
        return expected.text.map { isDate($0.string) } == true ? .doesNotApply : .differing(difference)
    }

    /// Whether a text begins with a date such as `2026-11-21`. JavaScript does not read such a text as a number.
    private static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[0].utf8.count == 4 && parts[1].utf8.count == 2
            && (parts[0] + parts[1]).utf8.allSatisfy { 0x30...0x39 ~= $0 }
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

    static func version(_ name: Substring, _ expected: JSONValue, _ value: JSONValue?) -> Applicability {
        guard let second = expected.text.map({ padded($0.string) }) else {
            return .differing("compares a version with \(expected.kindWords)")
        }
        if let first = value?.text { return Applicability(isOrdered(name, padded(first.string), second)) }
        // The JavaScript SDK reads a value that is not a string as version 0. The Python SDK does not.
        guard value == nil else { return .differing("compares a version with a value that is not a string") }
        return .either(isOrdered(name, padded(""), second), name == "ne", "compares a missing attribute with a version")
    }

    /// A version as a text that can be compared (`paddedVersionString` in `packages/sdk-js/src/util.ts`).
    private static func padded(_ version: String) -> [UInt16] {
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

    static func pattern(
        _ expected: JSONValue, _ value: JSONValue?, ignoringCase: Bool = false
    ) -> Applicability {
        let unsupported = Applicability.unsupported(
            "uses a regular expression with more than text, \".\", \"|\", ^ and $")
        guard value == nil || value?.kind == .string else { return .differing("searches a value that is not a string") }
        guard let text = expected.text?.string, let pattern = SimplePattern(text, ignoringCase: ignoringCase),
            // The JavaScript SDK searches this text if the attribute is missing.
            let matches = pattern.matches(value?.text?.string ?? "null")
        else { return unsupported }
        return value == nil ? .either(matches, false, "searches a missing attribute") : Applicability(matches)
    }
}
