import FlagModel

/// How a value travels as text.
struct FlagCoding<Value: Sendable>: Sendable {
    let type: FlagType
    /// The value that a text means; `nil` when it means none.
    let read: @Sendable (String) -> Value?
    let write: @Sendable (Value) throws -> String
}

extension FlagCoding<Bool> {
    /// The words of Firebase.
    static let bool = FlagCoding(type: .bool, read: FlagReading.bool, write: { $0 ? "true" : "false" })
}

extension FlagCoding<Int> {
    static let int = FlagCoding(type: .int, read: FlagReading.int, write: { String($0) })
}

extension FlagCoding<Double> {
    static let double = FlagCoding(type: .double, read: FlagReading.double, write: { String($0) })
}

extension FlagCoding where Value: LosslessStringConvertible {
    /// Any type that reads itself from text. Switches and numbers are read by the same rules however they are asked for.
    static var lossless: FlagCoding {
        (FlagCoding<Bool>.bool as? FlagCoding) ?? (FlagCoding<Int>.int as? FlagCoding)
            ?? (FlagCoding<Double>.double as? FlagCoding)
            ?? FlagCoding(type: .string, read: { Value($0) }, write: { $0.description })
    }
}

extension FlagCoding where Value: RawRepresentable, Value.RawValue == String {
    /// The variants that an enumeration names.
    static var variant: FlagCoding {
        FlagCoding(type: .string, read: { Value(rawValue: $0) }, write: { $0.rawValue })
    }
}
