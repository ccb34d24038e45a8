public import Essentials
public import FlagModel

extension Bool: FlagValue {
    /// A bool.
    public static var flagType: FlagType { .bool }

    /// Reads the words for bools that Firebase accepts: `1, true, t, yes, y, on` and `0, false, f, no, n, off`.
    public init(flagText: String) throws(InvalidFlagText) { self = try FlagReading.bool(flagText).orInvalid() }

    /// `true` or `false`.
    public func flagText() -> String { self ? "true" : "false" }
}

extension FlagValue where Self: FixedWidthInteger & Codable {
    /// A whole number.
    public static var flagType: FlagType { .int }

    /// Reads a whole number that the type can have.
    public init(flagText: String) throws(InvalidFlagText) {
        self = try FlagReading.int(flagText).flatMap { Self(exactly: $0) }.orInvalid()
    }

    /// Decimal digits.
    public func flagText() -> String { "\(self)" }
}

extension Int: FlagValue {}
extension Int8: FlagValue {}
extension Int16: FlagValue {}
extension Int32: FlagValue {}
extension Int64: FlagValue {}
extension UInt8: FlagValue {}
extension UInt16: FlagValue {}
extension UInt32: FlagValue {}

extension Double: FlagValue {
    /// A number.
    public static var flagType: FlagType { .double }

    /// Reads a JSON number.
    public init(flagText: String) throws(InvalidFlagText) { self = try FlagReading.double(flagText).orInvalid() }

    /// The shortest number that is read as this one.
    public func flagText() -> String { "\(self)" }
}

extension Float: FlagValue {
    /// A number.
    public static var flagType: FlagType { .double }

    /// Reads a JSON number.
    public init(flagText: String) throws(InvalidFlagText) { self = Float(try Double(flagText: flagText)) }

    /// The shortest number that is read as this one.
    public func flagText() -> String { "\(self)" }
}

extension String: FlagValue {
    /// A text.
    public static var flagType: FlagType { .string }

    /// The text itself.
    public init(flagText: String) { self = flagText }

    /// The text itself.
    public func flagText() -> String { self }
}

extension URL: FlagValue {
    /// A text.
    public static var flagType: FlagType { .string }

    /// Reads a URL with a scheme.
    public init(flagText: String) throws(InvalidFlagText) {
        guard let url = URL(string: flagText), url.scheme != nil else {
            throw InvalidFlagText("it is not a URL with a scheme")
        }
        self = url
    }

    /// The URL as a text.
    public func flagText() -> String { absoluteString }
}

extension Duration: FlagValue {
    private static let units: KeyValuePairs<String, Int64> = [
        "ms": 1, "d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1_000,
    ]

    /// A text.
    public static var flagType: FlagType { .string }

    /// Reads a whole number with a unit: `250ms`, `30s`, `5m`, `2h` or `1d`.
    public init(flagText: String) throws(InvalidFlagText) {
        let reason = "a duration is a whole number with ms, s, m, h or d, such as 30s"
        guard let unit = Self.units.first(where: { flagText.hasSuffix($0.key) }),
            let count = Int64(flagText.dropLast(unit.key.count))
        else { throw InvalidFlagText(reason) }
        let (milliseconds, isTooLong) = count.multipliedReportingOverflow(by: unit.value)
        guard !isTooLong else { throw InvalidFlagText(reason) }
        self = .milliseconds(milliseconds)
    }

    /// The text with the largest unit of which the duration is a whole number. A part of a millisecond is left out.
    public func flagText() -> String {
        let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
        let unit = Self.units.dropFirst().first { milliseconds != 0 && milliseconds.isMultiple(of: $0.value) }
        return "\(milliseconds / (unit?.value ?? 1))\(unit?.key ?? "ms")"
    }
}

extension Optional: FlagValue where Wrapped: FlagValue {
    /// A text if the wrapped type is one; else JSON, which has a word for no value.
    public static var flagType: FlagType { Wrapped.flagType == .string ? .string : .json }

    /// The options of the wrapped type, and no value.
    public static var flagOptions: [Wrapped?] {
        let options = Wrapped.flagType == .bool ? Self.bools : Wrapped.flagOptions
        return options.isEmpty ? [] : options + [nil]
    }

    private static var bools: [Wrapped] { ["true", "false"].compactMap { try? Wrapped(flagText: $0) } }

    /// Reads `null` as no value.
    public init(flagText: String) throws(InvalidFlagText) {
        self = flagText == "null" ? nil : try Wrapped(flagText: flagText)
    }

    /// The text of the value, or `null`.
    public func flagText() throws(InvalidFlagText) -> String { try self?.flagText() ?? "null" }
}

extension Array: FlagValue where Element: FlagValue & Codable {}
extension Dictionary: FlagValue where Key == String, Value: FlagValue & Codable {}

extension Optional {
    /// The value; without one, an error whose reason is the type.
    fileprivate func orInvalid() throws(InvalidFlagText) -> Wrapped {
        guard let self else { throw InvalidFlagText() }
        return self
    }
}

/// JSON texts of values that are Codable.
enum JSONCoding {
    static func read<Value: Decodable>(_ text: String) throws(InvalidFlagText) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw InvalidFlagText((error as? DecodingError)?.summary ?? "\(error)")
        }
    }

    static func text(of value: some Encodable) throws(InvalidFlagText) -> String {
        let encoder = JSONEncoder()
        // Sorted, so that equal values have equal texts.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw InvalidFlagText("\(error)")
        }
    }
}
