public import FlagModel

// Reading by declared key: never throws, never waits, and for switches and numbers takes an atomic load or two.
extension FlagStore {
    /// The effective value of a switch.
    @inlinable
    public subscript(key: FlagKey<Bool>) -> Bool {
        if !hasScopes, let bits = slots.bits(at: key.slot) { return bits != 0 }
        return slowValue(key)
    }

    /// The effective value of a whole number.
    @inlinable
    public subscript(key: FlagKey<Int>) -> Int {
        if !hasScopes, let bits = slots.bits(at: key.slot) { return Int(truncatingIfNeeded: bits) }
        return slowValue(key)
    }

    /// The effective value of a number.
    @inlinable
    public subscript(key: FlagKey<Double>) -> Double {
        if !hasScopes, let bits = slots.bits(at: key.slot) { return Double(bitPattern: bits) }
        return slowValue(key)
    }

    /// The effective value of any other declared flag, and of any flag where the type is not known to the caller.
    public subscript<Value>(key: FlagKey<Value>) -> Value {
        if !hasScopes, let value = slots.value(at: key.slot, as: Value.self) { return value }
        return slowValue(key)
    }
}

// Reading by a key that no code declares: what is wrong is thrown, not passed over.
extension FlagStore {
    /// The text of the highest layer that has the key.
    ///
    /// - Throws: a `FlagReadError` with code `notFound`.
    public func string(_ key: String) throws(FlagReadError) -> String { try snapshot().string(key) }

    /// A truth value.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that is no bool.
    public func bool(_ key: String) throws(FlagReadError) -> Bool { try snapshot().bool(key) }

    /// A whole number.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that is no whole number.
    public func int(_ key: String) throws(FlagReadError) -> Int { try snapshot().int(key) }

    /// A number.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that is no number.
    public func double(_ key: String) throws(FlagReadError) -> Double { try snapshot().double(key) }

    /// Any type that reads itself from text.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` with the text that the type does not read.
    public func value<Value: LosslessStringConvertible & Sendable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(FlagReadError) -> Value {
        try snapshot().value(key, as: type)
    }

    /// A JSON flag that no key declares.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` when the text does not decode.
    public func json<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws(FlagReadError) -> Value {
        try snapshot().json(key, as: type)
    }
}

// Explaining.
extension FlagStore {
    /// What every layer says about a flag, and which one wins.
    public func explain<Value>(_ key: FlagKey<Value>) -> Explanation { snapshot().explain(key) }

    /// What every layer says about a key. A declared key is explained by its own type; any other by the type that the
    /// catalog or its values suggest.
    public func explain(_ key: String) -> Explanation { snapshot().explain(key) }
}
