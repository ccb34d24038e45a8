import FlagModel

/// A regular expression of a condition. Swift's `Regex` parses it, and compares one Unicode scalar at a time.
///
/// Limits keep expressions from exhausting the stack. A search cannot be stopped, so ``SearchCost`` rejects expressions
/// that may take more than some tenths of a second.
struct ConditionPattern {
    /// The maximum length of an expression, in Unicode scalars.
    static let lengthLimit = 500
    /// The maximum number of groups and sets in an expression: deep nesting would exhaust the stack.
    static let groupLimit = 32
    /// The maximum length of a searched text, in Unicode scalars: Firebase's limit for a custom signal.
    static let textLimit = 500

    private let text: String
    private let regex: Regex<AnyRegexOutput>
    private let cost: SearchCost

    init(_ text: String) throws(UnsupportedCondition) {
        self.text = text
        guard text.unicodeScalars.count <= Self.lengthLimit else {
            throw Self.error(text, "it is longer than \(Self.lengthLimit) characters")
        }
        guard text.unicodeScalars.count(where: { "([".unicodeScalars.contains($0) }) <= Self.groupLimit else {
            throw Self.error(text, "it has more than \(Self.groupLimit) groups and sets")
        }
        do {
            regex = try Regex(text).matchingSemantics(.unicodeScalar)
        } catch {
            throw Self.error(text, "\(error)")
        }
        cost = SearchCost(of: text)
    }

    /// Whether a part of a text matches the expression.
    func isFound(in text: String) throws(UnsupportedCondition) -> Bool {
        let length = text.unicodeScalars.count
        guard length <= Self.textLimit else {
            throw Self.error(self.text, "the text to search is longer than \(Self.textLimit) characters")
        }
        guard cost.exponent(length: length) <= SearchCost.limit else {
            throw Self.error(self.text, "its repetitions may take too long in a text of \(length) characters")
        }
        do {
            return try regex.firstMatch(in: text) != nil
        } catch {
            throw Self.error(self.text, "\(error)")
        }
    }

    private static func error(_ text: String, _ reason: String) -> UnsupportedCondition {
        UnsupportedCondition(
            reason: "the regular expression \(JSONOutput.quoted(text, limit: 60)) cannot be used here: \(reason)")
    }
}
