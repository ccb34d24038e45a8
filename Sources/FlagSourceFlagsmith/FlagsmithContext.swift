public import FlagModel
public import FlagRemote

/// The evaluation context: an identity and its traits. Without an identity and traits, the source reads the flags of
/// the environment.
public struct FlagsmithContext: Sendable, Hashable {
    /// The identity's identifier. Without an identifier, Flagsmith evaluates the traits for an identity without a name.
    public var identifier: String?
    /// The traits, which determine the identity's segments. Flagsmith supports texts, numbers and Booleans. Lists,
    /// objects and numbers that are not finite are not sent.
    public var traits: FlagTable<ContextValue>

    /// A context. Without arguments, it is for the flags of the environment.
    public init(identifier: String? = nil, traits: FlagTable<ContextValue> = [:]) {
        self.identifier = identifier
        self.traits = traits
    }

    /// A context from settings: `{"identifier": "ana", "traits": {"plan": "pro"}}`. Unknown members are traits too, and
    /// take precedence over the members of `traits`.
    ///
    /// - Returns: `nil` if the value is not an object, the identifier is empty, or a trait is not a string, number or
    ///   bool. `null` is rejected, because it makes Flagsmith delete a stored trait.
    public init?(_ value: JSONValue) {
        guard value.kind == .object, let nested = Self.traits(value["traits"]) else { return nil }
        self.init(traits: nested)
        for member in value.members where member.key != "traits" {
            if member.key == "identifier" {
                guard [.string, .number].contains(member.value.kind), let text = member.value.flagText, !text.isEmpty
                else { return nil }
                identifier = text.string
            } else {
                guard let trait = Self.trait(member.value) else { return nil }
                traits[member.key.string] = trait
            }
        }
    }

    private static func traits(_ value: JSONValue?) -> FlagTable<ContextValue>? {
        guard let value else { return [:] }
        guard value.kind == .object else { return nil }
        var result: FlagTable<ContextValue> = [:]
        for member in value.members {
            guard let trait = trait(member.value) else { return nil }
            result[member.key.string] = trait
        }
        return result
    }

    private static func trait(_ value: JSONValue) -> ContextValue? {
        ContextValue(value).flatMap { isTrait($0) ? $0 : nil }
    }

    private static func isTrait(_ value: ContextValue) -> Bool {
        switch value {
        case .text, .integer, .bool: true
        case .number(let number): number.isFinite
        case .list, .members: false
        }
    }

    private var sentTraits: [(key: String, value: ContextValue)] {
        traits.filter { Self.isTrait($0.value) }.sortedByKey
    }

    /// Whether there is an identity to evaluate flags for.
    var hasIdentity: Bool { identifier?.isEmpty == false || !sentTraits.isEmpty }

    /// The body of a request for the flags of the identity (`generate_identity_data` in `flagsmith/utils/identities.py`
    /// of Flagsmith/flagsmith-python-client). For a transient identity, each trait is marked as transient too.
    /// Otherwise Flagsmith would store the traits for an identity that it already has.
    func body(isTransient: Bool) -> String {
        let mark: [(String, JSONOutput)] = isTransient ? [("transient", .bool(true))] : []
        let traits = sentTraits.map { key, value in
            let trait: [(String, JSONOutput)] = [("trait_key", .string(key)), ("trait_value", value.json)]
            return JSONOutput.object(trait + mark)
        }
        var members: [(String, JSONOutput)] = [("traits", .array(traits))]
        if let identifier, !identifier.isEmpty { members.insert(("identifier", .string(identifier)), at: 0) }
        return JSONOutput.object(members + mark).text(indented: false)
    }
}
