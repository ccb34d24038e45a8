import FlagModel

/// A regular expression of a condition, which Swift's `Regex` reads and looks for, one Unicode scalar at a time.
///
/// Limits keep expressions from using up the stack. Nothing limits the time: Swift's `Regex` tries and goes back, so that
/// `(a+)+b` takes twice as long for each further letter a, and a search that has begun cannot be stopped.
struct ConditionPattern {
    /// The most Unicode scalars of an expression.
    static let lengthLimit = 500
    /// The most groups and sets of an expression, as they may be in each other.
    static let groupLimit = 32
    /// The most Unicode scalars of a text, as many as Firebase allows a custom signal.
    static let textLimit = 500

    private let text: String
    private let regex: Regex<AnyRegexOutput>

    /// Reads an expression.
    init(_ text: String) throws(SignalTestError) {
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
    }

    /// Whether a text has a part that the expression describes.
    func isFound(in text: String) throws(SignalTestError) -> Bool {
        guard text.unicodeScalars.count <= Self.textLimit else {
            throw Self.error(self.text, "the text to search is longer than \(Self.textLimit) characters")
        }
        do {
            return try regex.firstMatch(in: text) != nil
        } catch {
            throw Self.error(self.text, "\(error)")
        }
    }

    private static func error(_ text: String, _ reason: String) -> SignalTestError {
        .undecided("the regular expression \(JSONOutput.quoted(text, limit: 60)) cannot be used here: \(reason)")
    }
}
