public import FlagModel

/// Reads flags by strings, for keys that are known only while the app runs. A missing or invalid value is an error.
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

    /// The bool of a key: `1, true, t, yes, y, on` or `0, false, f, no, n, off`, in any case.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that is not a bool.
    public func bool(_ key: String) throws(FlagReadError) -> Bool {
        try read(key, as: .bool, orFailAs: .bool) { text throws(InvalidFlagText) in try Bool(flagText: text) }
    }

    /// The whole number of a key.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that is not a whole number.
    public func int(_ key: String) throws(FlagReadError) -> Int {
        try read(key, as: .int, orFailAs: .int) { text throws(InvalidFlagText) in try Int(flagText: text) }
    }

    /// The number of a key.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that is not a number.
    public func double(_ key: String) throws(FlagReadError) -> Double {
        try read(key, as: .double, orFailAs: .double) { text throws(InvalidFlagText) in try Double(flagText: text) }
    }

    /// The value of a key, of any type of flags.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that the type does not accept, and why.
    public func value<Value: FlagValue>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(FlagReadError) -> Value {
        try read(key, as: .string, orFailAs: Value.flagType, named: "\(type)") { text throws(InvalidFlagText) in
            try Value(flagText: text)
        }
    }

    /// A JSON value of a key.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` if the text does not decode, with the path of what is
    ///   wrong.
    public func json<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws(FlagReadError) -> Value {
        try read(key, as: .string, orFailAs: .json, named: "\(type)") { text throws(InvalidFlagText) in
            try JSONCoding.read(text)
        }
    }

    private func read<Value>(
        _ key: String, as type: FlagType, orFailAs failedType: FlagType, named typeName: String? = nil,
        by reading: (String) throws(InvalidFlagText) -> Value
    ) throws(FlagReadError) -> Value {
        let text = try text(of: key, as: type)
        do throws(InvalidFlagText) {
            return try reading(text)
        } catch {
            throw FlagReadError(
                code: .notCastable, key: key, text: text, type: failedType, typeName: typeName, reason: error.reason)
        }
    }
}
