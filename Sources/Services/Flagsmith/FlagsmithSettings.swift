public import FlagModel
public import FlagRemote

// Re-exported so that an app imports only this module and FlagSourceHTTP.
@_exported public import enum FlagRemote.ContextValue
@_exported public import struct FlagRemote.Secret

/// Settings for Flagsmith, hosted or on a server of your own, or for its Edge Proxy.
public struct FlagsmithSettings: Sendable, Hashable {
    /// The hosted service (`DEFAULT_API_URL` in `flagsmith/flagsmith.py` of Flagsmith/flagsmith-python-client).
    public static let defaultBaseURL = "https://edge.api.flagsmith.com"
    /// The default poll interval: 60 seconds, as in the Python client (`environment_refresh_interval_seconds`). The
    /// hosted service counts each request (docs.flagsmith.com, "Billing and API Usage").
    public static let defaultPollInterval = Duration.seconds(60)

    /// The URL before `/api/v1`.
    public let baseURL: SourceURL
    /// The key that selects the environment. A client-side key is enough, and is not secret. A server-side key (`ser.`)
    /// is secret.
    public let environmentKey: Secret
    /// The evaluation context.
    public var context = FlagsmithContext()
    /// Whether Flagsmith stores the identity and its traits, as it does by default for its own clients. The default
    /// here is `false`, so that reading flags creates no identities. Flagsmith before 2.130 always stores both, and the
    /// Edge Proxy stores neither.
    public var storesIdentity = false
    /// How often the service is polled; `nil` for never.
    public var pollInterval: Duration? = defaultPollInterval
    /// The prefix of the names to read; empty for all names.
    public var keyPrefix = ""

    /// Settings for an environment.
    ///
    /// - Parameters:
    ///   - baseURL: `https://flagsmith.example.com`; a trailing `/api/v1`, as in the settings of Flagsmith's own
    ///     clients, is allowed.
    ///   - environmentKey: the key of the environment.
    /// - Throws: why the URL is not valid.
    public init(baseURL text: String = defaultBaseURL, environmentKey: Secret) throws(SourceError) {
        baseURL = try SourceURL(
            base: text, of: "a Flagsmith server", example: "https://flagsmith.example.com",
            insteadUse: "an environment key", without: ["/api/v1/flags", "/api/v1/identities", "/api/v1", "/api"])
        self.environmentKey = environmentKey
    }
}

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
        (self.identifier, self.traits) = (identifier, traits)
    }

    /// A context from settings: `{"identifier": "ana", "traits": {"plan": "pro"}}`. Unknown members are traits too, and
    /// take precedence over the members of `traits`.
    ///
    /// - Returns: `nil` if the value is not an object, the identifier is empty, or a trait is not a string, number or
    ///   bool. `null` is rejected, because it makes Flagsmith delete a stored trait.
    public init?(_ value: JSONValue) {
        let nested = value["traits"].map { $0.table(Self.trait) } ?? [:]
        guard value.kind == .object, let nested else { return nil }
        self.init(traits: nested)
        for member in value.members where member.key != "traits" {
            if member.key == "identifier" {
                guard let id = member.value.idText else { return nil }
                identifier = id
            } else {
                guard let trait = Self.trait(member.value) else { return nil }
                traits[member.key.string] = trait
            }
        }
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
    func body(isTransient: Bool) -> JSONOutput {
        let mark: [(String, JSONOutput)] = isTransient ? [("transient", .bool(true))] : []
        let traits = sentTraits.map { key, value in
            let trait: [(String, JSONOutput)] = [("trait_key", .string(key)), ("trait_value", value.json)]
            return JSONOutput.object(trait + mark)
        }
        var members: [(String, JSONOutput)] = [("traits", .array(traits))]
        if let identifier, !identifier.isEmpty { members.insert(("identifier", .string(identifier)), at: 0) }
        return .object(members + mark)
    }
}
