public import FlagModel

/// The line that edits the value of a flag without options.
public struct ValueEditor: Sendable, Equatable {
    /// The flag's key.
    public let key: FlagText
    /// How the text must read.
    public let type: FlagType
    /// The text under correction.
    public internal(set) var field: TextField
    /// Why the text was not saved, as a sentence; `nil` until it is refused.
    public internal(set) var refusal: String?

    init(_ facts: FlagFacts) {
        key = FlagText(facts.key)
        type = facts.type
        // An override that a launch value hides, or that is invalid, is what somebody comes to correct.
        field = TextField(facts.override?.value ?? facts.value ?? "")
        refusal = nil
    }

    /// Why the text cannot be the value, as a sentence; `nil` when it can.
    public static func objection(to text: String, as type: FlagType) -> String? {
        guard !type.accepts(text) else { return nil }
        return switch type {
        case .bool: "Not a bool: write true or false."
        case .int: "Not an int: write digits, with - in front where it is negative."
        case .double: "Not a double: write a number such as 0.5 or 1e3."
        case .json: jsonObjection(text)
        case .string: nil
        }
    }

    private static func jsonObjection(_ text: String) -> String {
        do {
            _ = try JSONDocument(parsing: FlagText(text))
            return "Not a JSON value."
        } catch {
            return "Not JSON: \(error)."
        }
    }
}
