import FlagModel

/// For whom something holds: those who have a fact with one of some values. A loopback server goes by it itself where it
/// evaluates, and makes it a rule where it tells the vendor's clients to evaluate. So both have to come to the same.
public struct LoopbackAudience: Sendable {
    /// The name of the fact, such as `plan`.
    public var fact: String
    /// The values with which it holds.
    public var values: [String]

    /// Those whose fact has one of the values.
    public init(_ fact: String, _ values: String...) {
        self.fact = fact
        self.values = values
    }

    /// Whether somebody belongs to it whose facts are the members of an object.
    func includes(_ facts: JSONValue?) -> Bool { includes(facts?[fact]?.flagText?.string) }

    /// Whether somebody belongs to it who has the fact with a value, or has it not.
    func includes(_ value: String?) -> Bool { value.map(values.contains) ?? false }

    /// The values for a rule.
    var list: JSONOutput { .array(values.map { .string($0) }) }
}
