import FlagModel

/// How a value is encoded as text.
struct FlagCoding<Value: Sendable>: Sendable {
    let type: FlagType
    /// The value of a text; `nil` if it has none.
    let read: @Sendable (String) -> Value?
    let write: @Sendable (Value) throws -> String
}

extension FlagCoding<Bool> {
    /// The words that Firebase accepts.
    static let bool = FlagCoding(type: .bool, read: FlagReading.bool, write: { $0 ? "true" : "false" })
}

extension FlagCoding<Int> {
    static let int = FlagCoding(type: .int, read: FlagReading.int, write: { String($0) })
}

extension FlagCoding<Double> {
    static let double = FlagCoding(type: .double, read: FlagReading.double, write: { String($0) })
}

extension FlagCoding where Value: LosslessStringConvertible {
    /// Any type that converts from text. Switches and numbers are always read by the same rules.
    static var lossless: FlagCoding {
        (FlagCoding<Bool>.bool as? FlagCoding) ?? (FlagCoding<Int>.int as? FlagCoding)
            ?? (FlagCoding<Double>.double as? FlagCoding)
            ?? FlagCoding(type: .string, read: { Value($0) }, write: { $0.description })
    }
}

extension FlagCoding where Value: RawRepresentable, Value.RawValue == String {
    /// The variants of an enumeration.
    static var variant: FlagCoding {
        FlagCoding(type: .string, read: { Value(rawValue: $0) }, write: { $0.rawValue })
    }
}
