/// How the text of a flag is read and checked.
public enum FlagType: String, Sendable, Hashable, CaseIterable {
    /// One of the words for true and false of remote configs.
    case bool
    /// A whole number.
    case int
    /// A number as JSON spells it.
    case double
    /// Any text.
    case string
    /// Any JSON value.
    case json

    /// Whether the text can be read as this type.
    public func accepts(_ text: String) -> Bool {
        switch self {
        case .bool: FlagReading.bool(text) != nil
        case .int: FlagReading.int(text) != nil
        case .double: FlagReading.double(text) != nil
        case .string: true
        case .json: (try? JSONDocument(parsing: Array(text.utf8))) != nil
        }
    }

    /// The same for text where it stands: JSON of a megabyte is read without a copy.
    package func accepts(_ text: FlagText) -> Bool {
        switch self {
        case .string: true
        case .json: (try? JSONDocument(parsing: text)) != nil
        case .bool, .int, .double: accepts(text.string)
        }
    }

    /// The type of a flag that names none: the narrowest that all options have, or its value where there are less than
    /// two options to learn from.
    ///
    /// Only `true` and `false` make a bool here: `1` and `on` are read as bools but say nothing about what is meant.
    public static func inferred(from options: [String], value: String?) -> FlagType {
        let samples = options.count >= 2 ? options : value.map { [$0] } ?? options
        guard !samples.isEmpty else { return .string }
        return [FlagType.bool, .int, .double, .json].first { type in samples.allSatisfy(type.isSpelled) } ?? .string
    }

    /// Whether the text is not just readable as the type but typical of it.
    private func isSpelled(_ text: String) -> Bool {
        switch self {
        case .bool: text.utf8.count <= 5 && ["true", "false"].contains(text.lowercased())
        case .int, .double: accepts(text)
        case .json: (text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "[")) && accepts(text)
        case .string: true
        }
    }

    /// Whether two texts are one value: the same bytes, or for bools the same truth (`on` is the option `true`).
    public func isSame(_ left: String, _ right: String) -> Bool {
        if FlagText(left) == FlagText(right) { return true }
        guard self == .bool, let first = FlagReading.bool(left), let second = FlagReading.bool(right) else {
            return false
        }
        return first == second
    }
}
