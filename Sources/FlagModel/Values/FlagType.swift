/// The kind of value that a flag has: a bool, a whole number, a number, a text or JSON.
public enum FlagType: String, Sendable, Hashable, CaseIterable {
    /// One of the remote-config words for true and false.
    case bool
    /// A whole number.
    case int
    /// A JSON number.
    case double
    /// Any text.
    case string
    /// Any JSON value.
    case json

    /// Whether the text is valid for this type.
    public func accepts(_ text: String) -> Bool { accepts(FlagText(text)) }

    /// Whether the text is valid for this type. JSON, which may have a megabyte, is parsed without a copy.
    package func accepts(_ text: FlagText) -> Bool {
        switch self {
        case .bool: FlagReading.bool(text.string) != nil
        case .int: FlagReading.int(text.string) != nil
        case .double: FlagReading.double(text.string) != nil
        case .string: true
        case .json: (try? JSONDocument(parsing: text)) != nil
        }
    }

    /// The type of a flag that declares none: the narrowest type that fits all options. If there are fewer than two
    /// options, the type must fit the value instead.
    ///
    /// Only `true` and `false` imply a bool; `1` and `on` are valid bools, but are also used for other types. A number
    /// must print as it is written: `01067`, `2024.10` and `12345e6` are codes, versions and hashes.
    public static func inferred(from options: [String], value: String?) -> FlagType {
        let samples = options.count >= 2 ? options : value.map { [$0] } ?? options
        guard !samples.isEmpty else { return .string }
        return [FlagType.bool, .int, .double, .json].first { type in samples.allSatisfy(type.isImplied(by:)) }
            ?? .string
    }

    /// Whether the text implies the type, and is not only valid for it.
    private func isImplied(by text: String) -> Bool {
        switch self {
        case .bool: text.utf8.count <= 5 && ["true", "false"].contains(text.lowercased())
        case .int: FlagReading.int(text).map(String.init) == text
        case .double: FlagType.int.isImplied(by: text) || FlagReading.double(text)?.description == text
        case .json: Self.opensContainer(text.utf8.first { !JSONScan.isSpace($0) }) && accepts(text)
        case .string: true
        }
    }

    private static func opensContainer(_ byte: UInt8?) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    }

    /// Whether two texts mean the same value: they have the same bytes, or are words for the same bool (`on`, `true`).
    public func isSame(_ left: String, _ right: String) -> Bool {
        if left.utf8.elementsEqual(right.utf8) { return true }
        guard self == .bool, let first = FlagReading.bool(left), let second = FlagReading.bool(right) else {
            return false
        }
        return first == second
    }
}
