#if Network
import FlagModel

/// The users that get a targeted value: all users for whom a fact, such as `plan`, has one of the listed values. A
/// loopback server evaluates the audience itself, or sends it as a rule to SDKs that evaluate. Both must give the same
/// result.
public struct LoopbackAudience: Sendable {
    let fact: String
    let values: [String]

    /// An audience of users whose fact, such as `plan`, has one of the values.
    public init(_ fact: String, _ values: String...) { (self.fact, self.values) = (fact, values) }

    /// Whether the audience includes a user whose facts are the members of an object.
    func includes(_ facts: JSONValue?) -> Bool { includes(facts?[fact]?.flagText?.string) }

    /// Whether the audience includes a user whose fact has this value. `nil` is for a user without the fact.
    func includes(_ value: String?) -> Bool { value.map(values.contains) ?? false }

    /// The values as a JSON array, for a rule.
    var list: JSONOutput { .texts(values) }
}
#endif
