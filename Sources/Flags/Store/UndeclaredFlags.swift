public import FlagModel

/// Reads flags by keys that no code declares. A missing or invalid value is an error.
public protocol UndeclaredFlags {
    /// The text of the highest layer that has the key.
    ///
    /// - Parameters:
    ///   - key: the flag's key.
    ///   - type: the type that the caller decodes, for the error.
    /// - Throws: a `FlagReadError` with code `notFound`.
    func text(of key: String, as type: FlagType) throws(FlagReadError) -> String
}

extension UndeclaredFlags {
    /// The text of the highest layer that has the key.
    ///
    /// - Throws: a `FlagReadError` with code `notFound`.
    public func string(_ key: String) throws(FlagReadError) -> String { try text(of: key, as: .string) }

    /// The bool of a key, read by `FlagReading.bool`.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that is not a bool.
    public func bool(_ key: String) throws(FlagReadError) -> Bool { try read(key, as: .bool, by: FlagReading.bool) }

    /// The whole number of a key.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that is not a whole number.
    public func int(_ key: String) throws(FlagReadError) -> Int { try read(key, as: .int, by: FlagReading.int) }

    /// The number of a key.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that is not a number.
    public func double(_ key: String) throws(FlagReadError) -> Double {
        try read(key, as: .double, by: FlagReading.double)
    }

    /// The value of a key, of any type that converts from text.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that the type does not accept.
    public func value<Value: LosslessStringConvertible & Sendable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(FlagReadError) -> Value {
        let coding = FlagCoding<Value>.lossless
        return try read(key, as: .string, orFailAs: coding.type, named: "\(type)", by: coding.read)
    }

    func read<Value>(
        _ key: String, as type: FlagType, orFailAs failedType: FlagType? = nil, named typeName: String? = nil,
        by reading: (String) -> Value?
    ) throws(FlagReadError) -> Value {
        let text = try text(of: key, as: type)
        guard let value = reading(text) else {
            throw FlagReadError(
                code: .notCastable, key: key, text: text, type: failedType ?? type, typeName: typeName)
        }
        return value
    }
}
