import FlagModel

/// Converts values of a flag to and from text.
struct FlagCoding<Value: Sendable>: Sendable {
    let type: FlagType
    /// Returns the value of a text; `nil` if the text is invalid.
    let read: @Sendable (String) -> Value?
    let write: @Sendable (Value) throws -> String
    /// The texts of all values, if the type lists its values: those of an enumeration that is `CaseIterable`.
    var cases: [String] = []
    /// Returns why a text is invalid, as the end of a sentence; `nil` if the type says enough.
    var invalidReason: @Sendable (String) -> String? = { _ in nil }
}

extension FlagCoding<Bool> {
    /// Reads the words for bools that Firebase accepts.
    static let bool = FlagCoding(type: .bool, read: FlagReading.bool, write: { $0 ? "true" : "false" })
}

extension FlagCoding<Int> {
    static let int = FlagCoding(type: .int, read: FlagReading.int, write: { String($0) })
}

extension FlagCoding<Double> {
    static let double = FlagCoding(type: .double, read: FlagReading.double, write: { String($0) })
}

extension FlagCoding where Value: LosslessStringConvertible {
    /// The coding of a type that converts from text. `Bool`, `Int`, `Double` and `JSONText` have their own rules.
    static var lossless: FlagCoding {
        (FlagCoding<Bool>.bool as? FlagCoding) ?? (FlagCoding<Int>.int as? FlagCoding)
            ?? (FlagCoding<Double>.double as? FlagCoding) ?? (FlagCoding<JSONText>.jsonText as? FlagCoding)
            ?? FlagCoding(type: .string, read: { Value($0) }, write: { $0.description })
    }
}

extension FlagCoding where Value: RawRepresentable, Value.RawValue == String {
    /// The coding of an enumeration by raw values.
    static var variant: FlagCoding {
        let cases = (Value.self as? any CaseIterable.Type).map { Self.rawValues(of: $0) } ?? []
        return FlagCoding(
            type: .string, read: { Value(rawValue: $0) }, write: { $0.rawValue }, cases: cases,
            invalidReason: { _ in cases.isEmpty ? nil : DeclaredFlag.invalidReason(for: cases) })
    }

    private static func rawValues<Cases: CaseIterable>(of cases: Cases.Type) -> [String] {
        Cases.allCases.compactMap { ($0 as? Value)?.rawValue }
    }
}
