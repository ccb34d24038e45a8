extension FlagType {
    /// Why the text cannot be the value, as a sentence; `nil` when it can.
    public func objection(to text: String) -> String? {
        guard !accepts(text) else { return nil }
        return switch self {
        case .bool: "Not a bool: write true or false."
        case .int: "Not an int: write digits, with - in front where it is negative."
        case .double: "Not a double: write a number such as 0.5 or 1e3."
        case .json: Self.jsonObjection(text)
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
