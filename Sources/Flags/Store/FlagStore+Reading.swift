public import FlagModel

// Reading declared keys never throws and never waits; a bool, a number or a case of an enumeration takes an atomic load or
// two.
extension FlagStore {
    /// The effective value of a flag.
    @inlinable
    public subscript<Value>(key: FlagKey<Value>) -> Value {
        if !hasScopes || !isInScope, let value = slots.value(at: key.slot, as: Value.self) { return value }
        return slowValue(key)
    }
}

extension FlagStore: UndeclaredFlags {
    /// The text of the highest layer that has the key.
    public func text(of key: String, as type: FlagType) throws(FlagReadError) -> String {
        try snapshot().text(of: key, as: type)
    }
}

extension FlagStore {
    /// The value of every layer for a flag, and the layer that wins.
    public func explain<Value>(_ key: FlagKey<Value>) -> Explanation { snapshot().explain(key) }

    /// The value of every layer for a key, and the layer that wins. The type is that of the declaration; for a key that
    /// no code declares, it comes from the catalog or the values.
    public func explain(_ key: String) -> Explanation { snapshot().explain(key) }
}
