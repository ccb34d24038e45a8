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
        let isEnabled: Bool
        let value: String

        /// Creates a state.
        public init(_ isEnabled: Bool, _ value: String = "null") {
            (self.isEnabled, self.value) = (isEnabled, value)
        }
    }

    /// A feature.
    public struct Flag: Sendable {
        let name: String
        let state: State
        let variant: (key: String, value: String)?
        let segment: (audience: LoopbackAudience, state: State)?
        let identityOverride: (identifier: String, state: State)?
        let isServerKeyOnly: Bool

        /// Creates a feature.
        ///
        /// - Parameters:
        ///   - isEnabled: whether the feature is enabled in the environment.
        ///   - value: the value in the environment, as JSON.
        ///   - variant: the key of the only variant, and the variant's value as JSON. Every identity has this variant.
        ///     `nil` for a standard feature.
        ///   - segment: the state in a segment, which a trait defines.
        ///   - identityOverride: the state for one identity, by its identifier.
        ///   - isServerKeyOnly: whether only clients with the server-side key get the feature.
        public init(
            _ name: String, _ isEnabled: Bool = true, value: String = "null",
            variant: (key: String, value: String)? = nil, segment: (audience: LoopbackAudience, state: State)? = nil,
            identityOverride: (identifier: String, state: State)? = nil, isServerKeyOnly: Bool = false
        ) {
            (self.name, self.state, self.variant) = (name, State(isEnabled, value), variant)
            (self.segment, self.identityOverride) = (segment, identityOverride)
            self.isServerKeyOnly = isServerKeyOnly
        }
    }

    private struct Environment {
        var flags: [Flag]
        /// The stored identities, with the traits of each.
        var identities: [String: [String: JSONValue]] = [:]
        /// Whether the organisation has exceeded its plan's limit of requests.
        var isDisabled = false
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    private let environment: Mutex<Environment>
    private let edition: Edition
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
        (self.edition, self.environmentKey, self.serverKey) = (edition, environmentKey, serverKey)
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL for a source's settings. The vendor's SDK needs `/api/v1/` appended.
    public var url: String { server.url }

    /// The identifiers of the stored identities.
    public var storedIdentities: [String] { environment.withLock { $0.identities.keys.sorted() } }

    /// Replaces all features.
    public func set(_ flags: [Flag]) { environment.withLock { $0.flags = flags } }

    /// Stops serving flags, as after too many requests for the plan.
    public func disable() { environment.withLock { $0.isDisabled = true } }
}

// The responses to requests, as the service sends them.
extension LoopbackFlagsmith {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        let key = request.headers["X-Environment-Key"] ?? ""
        guard [environmentKey, serverKey].contains(key) else {
            // Django REST framework responds with status 403 instead of 401 if it sends no header WWW-Authenticate.
            return .document(["detail": "Invalid or missing Environment Key"], status: 403)
        }
        guard !environment.withLock({ $0.isDisabled }) else {
            return .document(["detail": "Organisation is disabled from serving flags."], status: 403)
        }
        switch (request.method, request.path) {
        case ("GET", "/api/v1/flags/"): return .document(states(key, nil, [:]))
        case ("POST", "/api/v1/identities/"): return identity(request.json, key)
        default: return .status(404)
        }
    }

    /// The flags of an identity, which is stored with its traits unless it is transient (`api/environments/sdk/` and
    /// `api/environments/identities/` of Flagsmith/flagsmith).
    private func identity(_ body: JSONValue?, _ key: String) -> LoopbackReply {
        let identifier = body?["identifier"]?.text?.string
        var traits = identifier.flatMap { name in environment.withLock { $0.identities[name] } } ?? [:]
        for trait in body?["traits"].map({ Array($0.elements) }) ?? [] {
            traits[trait["trait_key"]?.text?.string ?? ""] = trait["trait_value"]
        }
        if edition == .server, let identifier, body?["transient"]?.bool != true {
            environment.withLock { $0.identities[identifier] = traits }
        }
        let list = traits.sorted { $0.key < $1.key }.map {
            ["trait_key": .string($0.key), "trait_value": .raw($0.value.compactJSON)] as JSONOutput
        }
        return .document([
            "identifier": .string(identifier ?? "random"), "traits": .array(list),
            "flags": states(key, identifier ?? "random", traits),
        ])
    }

    /// The states of all features that a client may read, in the formats of the server (`SDKFeatureStateSerializer` and
    /// `SDKIdentityFeatureStateSerializer` in `api/features/serializers.py` of Flagsmith/flagsmith) and of the Edge
    /// Proxy (`src/edge_proxy/mappers.py` of Flagsmith/edge-proxy).
    private func states(_ key: String, _ identifier: String?, _ traits: [String: JSONValue]) -> JSONOutput {
        let flags = environment.withLock { $0.flags }.filter { key == serverKey || !$0.isServerKeyOnly }
        return .array(flags.map { state(of: $0, identifier, traits) })
    }

    /// The state with the highest priority: for the identity, in a segment, in the environment.
    private func state(of flag: Flag, _ identifier: String?, _ traits: [String: JSONValue]) -> JSONOutput {
        let own = flag.identityOverride.flatMap { $0.identifier == identifier ? $0.state : nil }
        let segment = flag.segment.flatMap { segment in
            segment.audience.includes(traits[segment.audience.fact]?.flagText?.string) ? segment.state : nil
        }
        let state = own ?? segment ?? flag.state
        // Only identities have variants.
        let variant = identifier == nil ? nil : flag.variant
        func forServer(_ member: JSONOutput) -> JSONOutput? { edition == .server ? member : nil }
        return [
            "enabled": .bool(state.isEnabled),
            "feature_state_value": .raw(own == nil ? variant?.value ?? state.value : state.value),
            "feature": [
                "id": 1, "name": .string(flag.name),
                "type": .string(flag.variant == nil ? "STANDARD" : "MULTIVARIATE"),
                "created_date": forServer("2026-11-21T10:00:00.000000Z"), "description": forServer(.null),
                "initial_value": forServer(.null), "default_enabled": forServer(false),
            ],
            "id": forServer(7), "environment": forServer(5), "identity": forServer(own == nil ? .null : 3),
            "feature_segment": forServer(own == nil && segment != nil ? 4 : .null),
            "variant": identifier == nil ? nil : forServer(.text(variant?.key)),
        ]
    }
}
#endif
