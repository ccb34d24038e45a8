#if Network
import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

/// Flagsmith's API for clients on 127.0.0.1. It responds as Flagsmith's server (`api/` of Flagsmith/flagsmith) or as
/// the Edge Proxy (Flagsmith/edge-proxy). A feature has the state that a test sets. It may have another state in a
/// segment or for one identity.
public final class LoopbackFlagsmith: Sendable {
    /// The servers that this one can imitate.
    public enum Edition: Sendable, CaseIterable {
        case server, edgeProxy
    }

    /// Whether a feature is enabled, and its value as JSON.
    public struct State: Sendable {
        /// Whether the feature is enabled.
        public var isEnabled: Bool
        /// The value as JSON.
        public var value: String

        /// Creates a state.
        public init(_ isEnabled: Bool, _ value: String = "null") {
            self.isEnabled = isEnabled
            self.value = value
        }
    }

    /// A feature.
    public struct Flag: Sendable {
        /// The name.
        public var name: String
        /// The state in the environment.
        public var state: State
        /// What the feature does.
        public var description: String?
        /// The key of the only variant, and the variant's value as JSON. Every identity has this variant. `nil` for a
        /// standard feature.
        public var variant: (key: String, value: String)?
        /// The state in a segment, which a trait defines.
        public var segment: (audience: LoopbackAudience, state: State)?
        /// The state for one identity, by its identifier.
        public var identityOverride: (identifier: String, state: State)?
        /// Whether only clients with the server-side key get the feature.
        public var isServerKeyOnly: Bool

        /// Creates a feature.
        public init(
            _ name: String, _ isEnabled: Bool = true, value: String = "null", description: String? = nil,
            variant: (key: String, value: String)? = nil, segment: (audience: LoopbackAudience, state: State)? = nil,
            identityOverride: (identifier: String, state: State)? = nil, isServerKeyOnly: Bool = false
        ) {
            self.name = name
            state = State(isEnabled, value)
            self.description = description
            self.variant = variant
            self.segment = segment
            self.identityOverride = identityOverride
            self.isServerKeyOnly = isServerKeyOnly
        }
    }

    /// The settings of the environment.
    struct Environment: Sendable {
        var flags: [Flag]
        /// The stored identities, with the traits of each.
        var identities: [String: [FlagsmithTrait]] = [:]
        /// Whether a client-side key may send traits ("Persist traits when using client-side SDK keys").
        var allowsClientTraits = true
        /// Whether the organisation has exceeded its plan's limit of requests.
        var isDisabled = false
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    let environment: Mutex<Environment>
    let edition: Edition
    private let environmentKey: String
    private let serverKey: String

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - flags: the served features.
    ///   - environmentKey: the client-side key of the environment.
    ///   - serverKey: the server-side key of the environment.
    ///   - edition: the server to imitate.
    public init(
        _ flags: [Flag], environmentKey: String = "client-side-key", serverKey: String = "ser.key",
        edition: Edition = .server
    ) async throws {
        environment = Mutex(Environment(flags: flags))
        self.edition = edition
        self.environmentKey = environmentKey
        self.serverKey = serverKey
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL for a source's settings. The vendor's SDK needs `/api/v1/` appended.
    public var url: String { server.url }

    /// The identifiers of the stored identities.
    public var storedIdentities: [String] { environment.withLock { $0.identities.keys.sorted() } }

    /// Replaces all features.
    public func set(_ flags: [Flag]) { environment.withLock { $0.flags = flags } }

    /// Stores an identity with its traits, which are a JSON object.
    public func store(_ identifier: String, traits: String) {
        let members = (try? JSONDocument(parsing: Array(traits.utf8)))?.root.members.map { $0 } ?? []
        let stored = members.map { FlagsmithTrait(key: $0.key.string, value: $0.value) }
        environment.withLock { $0.identities[identifier] = stored }
    }

    /// Makes the environment ignore the traits of clients with a client-side key.
    public func rejectClientTraits() { environment.withLock { $0.allowsClientTraits = false } }

    /// Stops serving flags, as after too many requests for the plan.
    public func disable() { environment.withLock { $0.isDisabled = true } }
}

// The responses to requests, as the service sends them.
extension LoopbackFlagsmith {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        guard request.path.hasPrefix("/api/v1/") else { return .status(404) }
        let key = request.headers["X-Environment-Key"] ?? ""
        let isClient = key == environmentKey
        guard isClient || key == serverKey else { return unknownKey(key) }
        guard !environment.withLock({ $0.isDisabled }) else {
            return .json(#"{"detail":"Organisation is disabled from serving flags."}"#, status: 403)
        }
        switch (request.method, request.path) {
        case ("GET", "/api/v1/flags/"): return environmentFlags(request, isClient)
        case ("GET", "/api/v1/identities/"): return identityByQuery(request, isClient)
        case ("POST", "/api/v1/identities/"): return identityByBody(request, isClient)
        case ("POST", "/api/v1/analytics/flags/") where edition == .server: return .status(200)
        default: return .status(404)
        }
    }

    private func unknownKey(_ key: String) -> LoopbackReply {
        switch edition {
        case .server:
            // Django REST framework responds with status 403 instead of 401 if it sends no header WWW-Authenticate.
            return .json(#"{"detail":"Invalid or missing Environment Key"}"#, status: 403)
        case .edgeProxy:
            let members = [("status", "unauthorized"), ("message", "unknown key \(key)")]
            return .json(
                JSONOutput.object(members.map { ($0.0, .string($0.1)) }).text(indented: false), status: 401)
        }
    }

    private func environmentFlags(_ request: LoopbackRequest, _ isClient: Bool) -> LoopbackReply {
        let states = evaluated(for: nil, isClient)
        guard let feature = request.query("feature") else { return respond(.array(states.map(\.json))) }
        guard let state = states.first(where: { $0.name == feature }) else {
            return .json(#"{"detail":"Given feature not found"}"#, status: 404)
        }
        return respond(state.json)
    }

    func respond(_ json: JSONOutput) -> LoopbackReply {
        .json(json.text(indented: false), headers: [("X-Flagsmith-Document-Updated-At", "1700000000.0")])
    }
}
#endif
