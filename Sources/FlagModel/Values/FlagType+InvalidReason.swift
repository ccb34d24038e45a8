extension FlagType {
    /// Why the text is not valid as a value, as a sentence; `nil` if it is valid.
    public func invalidReason(to text: String) -> String? {
        guard !accepts(text) else { return nil }
        return switch self {
        case .bool: "Not a bool. Write true or false."
        case .int where FlagReading.isNumber(text) && !text.contains { ".eE".contains($0) }:
            "Out of range: an int is between \(Int.min) and \(Int.max)."
        case .int: "Not an int. Write digits, with a leading - if negative."
        case .double where FlagReading.isOutOfRange(text): "Out of range: a double is at most 1.7976931348623157e308."
        case .double: "Not a double. Write a number such as 0.5 or 1e3."
        case .json: Self.jsonError(text)
        case .string: nil
        }
    }

    private static func jsonError(_ text: String) -> String {
        do {
            _ = try JSONDocument(parsing: FlagText(text))
            return "Not a JSON value."
        } catch {
            return "Not JSON: \(error.asSentence)"
        }
    }
}
