public import FlagModel

/// A change of a flag, as an observer gets it: the key, the old value and the new one.
///
/// Pending changes of one flag are merged into one.
public struct FlagChange<Value: Sendable>: Sendable {
    /// The flag's key.
    public let key: String
    /// The effective value that the observer saw last.
    public let old: Value
    /// The current effective value.
    public let new: Value
    /// The layer of the new value; `nil` if no layer has a value.
    public let layer: FlagLayer?

    /// A change, for tests.
    public init(key: String, old: Value, new: Value, layer: FlagLayer?) {
        self.key = key
        self.old = old
        self.new = new
        self.layer = layer
    }
}

extension FlagChange: Equatable where Value: Equatable {}
