public import FlagModel

/// A value of a custom signal, or what a condition compares one with.
public enum SignalValue: Sendable, Hashable {
    /// A text.
    case text(String)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction or an exponent.
    case number(Double)
    /// Truth. Firebase documents texts and numbers; firebase-admin takes this too.
    case bool(Bool)

    /// The value of a JSON text; `nil` for null, containers and whole numbers beyond `Int`.
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

    /// What Python's `str()` makes of it, which is what conditions on texts and versions see.
    public var text: String {
        switch self {
        case .text(let text): text
        case .integer(let integer): String(integer)
        case .number(let number): PythonText.repr(number)
        case .bool(let bool): bool ? "True" : "False"
        }
    }

    /// What Python's `float()` makes of it; `nil` where that is an error.
    var double: Double? {
        switch self {
        case .text(let text): PythonNumber.double(text)
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .bool(let bool): bool ? 1 : 0
        }
    }

    /// Whether Python takes it for true. firebase-admin takes a false one for a signal that is not there at all.
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
    /// A text written in code.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number written in code.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number written in code.
    public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue {
    /// Whether Python takes the value for true once `json` has read it.
    var isTruthy: Bool {
        switch kind {
        case .null: false
        case .bool: bool ?? false
        case .number: Double(source) != 0
        case .string: text?.isEmpty == false
        case .array, .object: count > 0
        }
    }

    /// The value, unless Python takes it for false: what `object.get(key) or default` sees.
    func truthy(_ key: String) -> JSONValue? {
        self[key].flatMap { $0.isTruthy ? $0 : nil }
    }

    /// The member, unless it is null: what `object.get(key) is not None` asks for.
    func present(_ key: String) -> JSONValue? {
        self[key].flatMap { $0.kind == .null ? nil : $0 }
    }
}
