public import FlagModel

/// A value of a custom signal, or a value that a condition compares it with.
public enum SignalValue: Sendable, Hashable {
    /// A text.
    case text(String)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction or an exponent.
    case number(Double)
    /// A Boolean. Firebase documents only texts and numbers; firebase-admin accepts Booleans too.
    case bool(Bool)

    /// A JSON value as a signal; `nil` for null, arrays, objects and whole numbers beyond `Int`.
    public init?(_ value: JSONValue) {
        switch value.kind {
        case .string: self = .text(value.text?.string ?? "")
        case .bool: self = .bool(value.bool ?? false)
        case .number where !value.source.utf8.contains(where: { ".eE".utf8.contains($0) }):
            guard let integer = Int(value.source) else { return nil }
            self = .integer(integer)
        case .number:
            guard let number = Double(value.source) else { return nil }
            self = .number(number)
        case .null, .array, .object: return nil
        }
    }

    /// The value as text, which conditions on texts and versions compare.
    public var text: String {
        switch self {
        case .text(let text): text
        case .integer(let integer): String(integer)
        case .number(let number): number.description
        case .bool(let bool): bool.description
        }
    }

    /// The value as a whole number, also if the value is a text that spells one; `nil` for other values.
    var integer: Int? {
        switch self {
        case .text(let text): Int(text.trimmed)
        case .integer(let integer): integer
        case .number, .bool: nil
        }
    }

    /// The value as a number, also if the value is a text that spells one; `nil` for other texts.
    var double: Double? {
        switch self {
        case .text(let text): Double(text.trimmed).flatMap { $0.isNaN ? nil : $0 }
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .bool(let bool): bool ? 1 : 0
        }
    }

    /// Whether the value is neither empty, zero nor false. firebase-admin ignores empty, zero and false signals.
    var isTruthy: Bool {
        switch self {
        case .text(let text): !text.isEmpty
        case .integer(let integer): integer != 0
        case .number(let number): number != 0
        case .bool(let bool): bool
        }
    }
}

extension SignalValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A text literal.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole-number literal.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number literal.
    public init(floatLiteral value: Double) { self = .number(value) }
}
