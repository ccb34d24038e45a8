public import FlagModel

/// What became of one flag.
///
/// Changes of one flag that nobody has taken yet become one: its `old` is what the observer saw last, its `new` what
/// holds now.
public struct FlagChange<Value: Sendable>: Sendable {
    /// The flag's key.
    public let key: String
    /// The effective value that was told last.
    public let old: Value
    /// The effective value of now.
    public let new: Value
    /// Where the new value comes from; `nil` when no layer has one.
    public let layer: Layer?

    /// A change, for tests of what takes one.
    public init(key: String, old: Value, new: Value, layer: Layer?) {
        self.key = key
        self.old = old
        self.new = new
        self.layer = layer
    }
}

extension FlagChange: Equatable where Value: Equatable {}
