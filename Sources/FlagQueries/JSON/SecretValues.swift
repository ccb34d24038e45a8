package import FlagModel

extension JSONOutput {
    /// The members whose texts are values of the flag that the object, or one around it, is about, or quote one, as the
    /// reason why it is not valid does, and what an app does about it. Options are those of the catalog, whatever the
    /// value is.
    private static let valueMembers: Set<String> = [
        "value", "values", "old", "new", "now", "scenario", "after", "default", "change", "lastValue", "mismatches",
        "reason", "remoteValue", "firstValue", "rejection", "rejectedValue",
        "status",
    ]

    /// This JSON of flags with the word `secret` in place of every value of a secret flag, for readers who may not see
    /// them.
    ///
    /// - Parameters:
    ///   - isSecret: whether the flag with a key is secret.
    ///   - isOfSecret: whether this JSON is about a secret flag.
    package func hidingValues(isOfSecret: Bool = false, of isSecret: (String) -> Bool) -> JSONOutput {
        switch self {
        case .array(let elements):
            return .array(elements.map { $0.hidingValues(isOfSecret: isOfSecret, of: isSecret) })
        case .object(let members):
            let isNamed = members.contains { name, value in
                if case .string(let key) = value, name == "key" || name == "lastKey" { isSecret(key) } else { false }
            }
            let hides = isOfSecret || isNamed
            return .object(
                members.map { name, value in
                    if hides, Self.valueMembers.contains(name) { return (name, value.hidingTexts) }
                    if name == "options" { return (name, value) }
                    // The key of an override is the name of its member.
                    var isOfSecret = hides
                    if case .object = value { isOfSecret = hides || isSecret(name) }
                    return (name, value.hidingValues(isOfSecret: isOfSecret, of: isSecret))
                })
        case .null, .bool, .integer, .string, .raw: return self
        }
    }

    /// The word `secret` in place of each text.
    private var hidingTexts: JSONOutput {
        switch self {
        case .string: .string("secret")
        case .array(let elements): .array(elements.map(\.hidingTexts))
        case .object(let members): .object(members.map { ($0, $1.hidingTexts) })
        case .null, .bool, .integer, .raw: self
        }
    }
}
