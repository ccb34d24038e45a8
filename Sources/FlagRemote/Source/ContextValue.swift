public import FlagModel

/// An attribute of an evaluation context, written as a literal.
///
/// ```swift
/// let attributes: FlagTable<ContextValue> = ["plan": "pro", "age": 42, "beta": true, "teams": ["a", "b"]]
/// ```
public enum ContextValue: Sendable, Hashable {
    /// A text.
    case text(String)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction. Infinity and NaN become `null`, as JSON has neither.
    case number(Double)
    /// A Boolean.
    case bool(Bool)
    /// A list.
    case list([ContextValue])
    /// An object.
    case members(FlagTable<ContextValue>)

    /// The value as JSON; members are sorted by name, so that equal contexts have equal JSON.
    package var json: JSONOutput {
        switch self {
        case .text(let text): .string(text)
        case .integer(let integer): .integer(integer)
        case .number(let number): number.isFinite ? .raw("\(number)") : .null
        case .bool(let bool): .bool(bool)
        case .list(let values): .array(values.map(\.json))
        case .members(let members): .object(Self.sorted(members))
        }
    }

    /// Members of an object, sorted by name.
    package static func sorted(_ members: FlagTable<ContextValue>) -> [(String, JSONOutput)] {
        members.sortedByKey.map { ($0.key, $0.value.json) }
    }
}

extension ContextValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
}

extension ContextValue: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension ContextValue: ExpressibleByFloatLiteral {
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension ContextValue: ExpressibleByBooleanLiteral {
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ContextValue: ExpressibleByArrayLiteral {
    /// A list.
    public init(arrayLiteral elements: ContextValue...) { self = .list(elements) }
}

extension ContextValue: ExpressibleByDictionaryLiteral {
    /// An object; if a name occurs more than once, its last value counts.
    public init(dictionaryLiteral elements: (String, ContextValue)...) {
        self = .members(FlagTable(elements) { _, last in last })
    }
}
