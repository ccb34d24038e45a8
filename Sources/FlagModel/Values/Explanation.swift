/// Why a flag has its value: the value of each layer, and the layer that wins.
public struct Explanation: Sendable, Hashable {
    /// The value of one layer.
    public struct Entry: Sendable, Hashable {
        /// The layer.
        public let layer: FlagLayer
        /// The layer's value; `nil` if the layer does not have the key.
        public let value: FlagText?
        /// Whether the value is valid for the flag's type; `false` if there is none.
        public let isCastable: Bool
    }

    /// The flag's key.
    public let key: FlagText
    /// The type for which values must be valid.
    public let type: FlagType
    /// One entry for each layer that is in use, the highest first. The default layer has two entries if the store's
    /// default is invalid: the default of the declared key follows.
    public let entries: [Entry]
    /// The highest layer with a valid value; `nil` if there is none.
    public var winner: FlagLayer? { entries.first { $0.isCastable }?.layer }

    /// The effective value; `nil` if no layer has a valid one.
    public var value: FlagText? { entries.first { $0.isCastable }?.value }

    /// The entry that wins if the override is cleared.
    package var base: Entry? { entries.first { $0.layer > .override && $0.isCastable } }

    /// The value of one layer, valid or not.
    public func value(in layer: FlagLayer) -> FlagText? { entries.first { $0.layer == layer }?.value }

    /// The explanation with a valid default, which replaces a missing default, or follows an invalid one.
    package func adding(default text: String) -> Explanation {
        let others = entries.last?.value == nil ? entries.dropLast() : entries
        let entry = Entry(layer: .default, value: FlagText(text), isCastable: true)
        return Explanation(key: key, type: type, entries: others + [entry])
    }
}
