public import FlagModel

/// The key of a flag, with its old and its new value.
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
