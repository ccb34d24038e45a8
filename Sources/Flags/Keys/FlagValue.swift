public import FlagModel

/// A Swift type that a flag can have: it converts values to and from the text that remote documents and menus have.
///
/// Bools, numbers, texts, `URL`, `Duration`, optionals, arrays and ``JSONText`` are flag values. Enumerations with raw
/// values and types that are `Codable`, which are written as JSON, only have to say so:
///
/// ```swift
/// enum Theme: String, CaseIterable, FlagValue { case plain, festive }
/// struct Banner: Codable, FlagValue {
///     var text: String
/// }
/// ```
public protocol FlagValue: Sendable {
    /// The type for which menus and explanations check texts.
    static var flagType: FlagType { get }
    /// The values that menus offer; empty if others are possible.
    static var flagOptions: [Self] { get }

    /// The value of a text.
    ///
    /// - Throws: why the text is not a value of the type.
    init(flagText: String) throws(InvalidFlagText)
    /// The text of the value. Equal values must have equal texts.
    ///
    /// - Throws: why the value has no text, such as a number in JSON that is infinite.
    func flagText() throws(InvalidFlagText) -> String
}

/// The error if a text does not fit the Swift type of a flag, or if a value cannot be written as text.
public struct InvalidFlagText: Error, Hashable, CustomStringConvertible {
    /// The reason as the end of a sentence, such as `label.title is missing`; `nil` if the name of the type says enough.
    public let reason: String?

    /// An error with a reason, by default none.
    public init(_ reason: String? = nil) { self.reason = reason }

    /// The reason.
    public var description: String { reason ?? "it is not valid for the type" }
}

extension FlagValue {
    /// Any value of the type is possible.
    public static var flagOptions: [Self] { [] }
}

extension FlagValue where Self: CaseIterable {
    /// All cases.
    public static var flagOptions: [Self] { Array(allCases) }
}

// Types with raw values, such as enumerations.
extension FlagValue where Self: RawRepresentable, RawValue: FlagValue {
    /// The type of raw values.
    public static var flagType: FlagType { RawValue.flagType }

    /// The value of a raw value.
    public init(flagText: String) throws(InvalidFlagText) { self = try Self.value(ofRaw: flagText) }

    /// The text of the raw value.
    public func flagText() throws(InvalidFlagText) -> String { try rawValue.flagText() }

    fileprivate static func value(ofRaw text: String) throws(InvalidFlagText) -> Self {
        if let value = Self(rawValue: try RawValue(flagText: text)) { return value }
        let cases = flagOptions.compactMap { try? $0.rawValue.flagText() }
        throw InvalidFlagText(cases.isEmpty ? nil : DeclaredFlag.invalidReason(for: cases))
    }
}

// Types that are written as JSON.
extension FlagValue where Self: Codable {
    /// JSON.
    public static var flagType: FlagType { .json }

    /// The value that a JSON text describes.
    public init(flagText: String) throws(InvalidFlagText) { self = try JSONCoding.read(flagText) }

    /// A JSON text, with the members of objects sorted by name.
    public func flagText() throws(InvalidFlagText) -> String { try JSONCoding.text(of: self) }
}

// A type with raw values that is also Codable is written as its raw value.
extension FlagValue where Self: RawRepresentable & Codable, RawValue: FlagValue {
    /// The type of raw values.
    public static var flagType: FlagType { RawValue.flagType }

    /// The value of a raw value.
    public init(flagText: String) throws(InvalidFlagText) { self = try Self.value(ofRaw: flagText) }

    /// The text of the raw value.
    public func flagText() throws(InvalidFlagText) -> String { try rawValue.flagText() }
}
