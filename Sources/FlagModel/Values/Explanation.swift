/// The value of a flag with its reason: what each layer says, and which one wins.
public struct Explanation: Sendable, Hashable {
    /// What one layer says.
    public struct Entry: Sendable, Hashable {
        /// The layer.
        public let layer: Layer
        /// Its value; `nil` where the layer does not have the key.
        public let value: FlagText?
        /// Whether the value can be read as the flag's type; `false` where there is none.
        public let isCastable: Bool

        /// What a layer says about a flag.
        public init(layer: Layer, value: FlagText?, isCastable: Bool) {
            self.layer = layer
            self.value = value
            self.isCastable = isCastable
        }
    }

    /// The key.
    public let key: FlagText
    /// The type that decides which values count.
    public let type: FlagType
    /// One entry for each layer that the setup has, the highest first; the last layer has two if an app has two defaults
    /// and the first of them cannot be read.
    public let entries: [Entry]
    /// The highest layer with a value of the type; `nil` when there is none.
    public let winner: Layer?

    /// Finds the winner among the entries, the highest layer first.
    public init(key: FlagText, type: FlagType, entries: [Entry]) {
        self.key = key
        self.type = type
        self.entries = entries
        winner = entries.first { $0.isCastable }?.layer
    }

    /// The effective value; `nil` when no layer has one that counts.
    public var value: FlagText? { entries.first { $0.isCastable }?.value }

    /// What one layer says, castable or not.
    public func value(in layer: Layer) -> FlagText? { entries.first { $0.layer == layer }?.value }
}
