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

    /// The effective value of any other declared flag, and of any flag whose type is not known to the caller.
    public subscript<Value>(key: FlagKey<Value>) -> Value {
        if !hasScopes, let value = slots.value(at: key.slot, as: Value.self) { return value }
        return slowValue(key)
    }
}

extension FlagStore: UndeclaredFlags {
    /// The text of the highest layer that has the key.
    public func text(of key: String, as type: FlagType) throws(FlagReadError) -> String {
        try snapshot().text(of: key, as: type)
    }
}

// Explaining.
extension FlagStore {
    /// What every layer has for a flag, and which one wins.
    public func explain<Value>(_ key: FlagKey<Value>) -> Explanation { snapshot().explain(key) }

    /// What every layer has for a key. A declared key is explained by its own type; any other by the type that the
    /// catalog or its values suggest.
    public func explain(_ key: String) -> Explanation { snapshot().explain(key) }
}
