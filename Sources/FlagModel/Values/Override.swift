/// A value set by hand on this machine, which wins over the remote one until it is cleared.
public struct Override: Sendable, Hashable {
    /// The text that apps read instead of the remote value.
    public var value: String
    /// When it was set, if that is known.
    public var setAt: Timestamp?
    /// The author, if known.
    public var setBy: String?

    /// An override of any origin.
    public init(value: String, setAt: Timestamp? = nil, setBy: String? = nil) {
        self.value = value
        self.setAt = setAt
        self.setBy = setBy
    }
}
