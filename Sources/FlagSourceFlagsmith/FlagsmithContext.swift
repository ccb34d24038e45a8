public import FlagModel
public import FlagRemote

/// The evaluation context: an identity and its traits. Without both, the flags of the environment are read.
public struct FlagsmithContext: Sendable, Hashable {
    /// The identifier of the identity. If there is none, Flagsmith evaluates the traits for a nameless identity.
    public var identifier: String?
    /// The traits, which decide the identity's segments. Flagsmith knows texts, numbers and Booleans: lists, objects
    /// and numbers that are not finite are not sent.
    public var traits: [String: ContextValue]

    /// A context; without arguments the environment itself.
    public init(identifier: String? = nil, traits: [String: ContextValue] = [:]) {
        self.identifier = identifier
        self.traits = traits
    }

    /// A context from settings: `{"identifier": "ana", "traits": {"plan": "pro"}}`. Unknown members are traits too, and
    /// win over those in `traits`.
    ///
    /// - Returns: `nil` if the value is not an object, the identifier is empty, or a trait is not a string, number or
    ///   bool. `null` is rejected, as Flagsmith deletes a stored trait for it.
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

    private static func traits(_ value: JSONValue?) -> [String: ContextValue]? {
        guard let value else { return [:] }
        guard value.kind == .object else { return nil }
        var result: [String: ContextValue] = [:]
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
        traits.filter { Self.isTrait($0.value) }.sorted { $0.key < $1.key }
    }

    /// Whether there is an identity to evaluate flags for.
    var hasIdentity: Bool { identifier?.isEmpty == false || !sentTraits.isEmpty }

    /// The body of a request for the flags of the identity (`generate_identity_data` in `flagsmith/utils/identities.py`
    /// of Flagsmith/flagsmith-python-client). The traits are marked as transient as well, so that they are not stored
    /// for an identity that Flagsmith already has.
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
