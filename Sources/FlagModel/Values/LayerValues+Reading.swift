// Reading by a key that no code declares: what is wrong is thrown, not passed over.
extension LayerValues {
    /// The text of the highest layer that has the key.
    ///
    /// - Throws: `notFound`.
    public func string(_ key: String) throws(FlagReadError) -> String { try text(of: key, as: .string) }

    /// The truth value, as `FlagReading.bool` reads it.
    ///
    /// - Throws: `notFound`, or `notCastable` when the highest layer that has the key holds another text.
    public func bool(_ key: String) throws(FlagReadError) -> Bool { try read(key, as: .bool, by: FlagReading.bool) }

    /// The whole number.
    ///
    /// - Throws: `notFound`, or `notCastable` when the highest layer that has the key holds another text.
    public func int(_ key: String) throws(FlagReadError) -> Int { try read(key, as: .int, by: FlagReading.int) }

    /// The number.
    ///
    /// - Throws: `notFound`, or `notCastable` when the highest layer that has the key holds another text.
    public func double(_ key: String) throws(FlagReadError) -> Double {
        try read(key, as: .double, by: FlagReading.double)
    }

    private func read<Value>(
        _ key: String, as type: FlagType, by reading: (String) -> Value?
    ) throws(FlagReadError) -> Value {
        let text = try text(of: key, as: type)
        guard let value = reading(text) else {
            throw FlagReadError(code: .notCastable, key: key, text: text, type: type)
        }
        return value
    }

    private func text(of key: String, as type: FlagType) throws(FlagReadError) -> String {
        guard let text = resolve(key, type: .string).value else {
            throw FlagReadError(code: .notFound, key: key, text: nil, type: type)
        }
        return text.string
    }
}
