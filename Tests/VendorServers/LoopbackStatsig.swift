#if Network
import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

/// Statsig's API on 127.0.0.1. It evaluates gates and configs for apps. To the SDKs for servers, it sends the rules of
/// the same gates and configs.
public final class LoopbackStatsig: Sendable {
    /// A feature gate.
    public struct Gate: Sendable {
        let name: String
        let isOn: Bool
        let audience: LoopbackAudience?

        /// Creates a gate.
        ///
        /// - Parameters:
        ///   - isOn: whether the gate is on for the audience, or for all users if there is no audience.
        ///   - audience: the users for whom the gate is on; `nil` for all users. A field or a custom attribute defines
        ///     the audience.
        public init(_ name: String, _ isOn: Bool = true, audience: LoopbackAudience? = nil) {
            (self.name, self.isOn, self.audience) = (name, isOn, audience)
        }
    }

    /// A dynamic config, an experiment or a layer.
    public struct Config: Sendable {
        /// The kinds of configs.
        public enum Kind: Sendable { case dynamicConfig, experiment, layer }

        let name: String
        let kind: Kind
        let value: String
        let group: String?
        let targeted: (audience: LoopbackAudience, value: String, group: String?)?

        /// Creates a config.
        ///
        /// - Parameters:
        ///   - value: the value for all users outside of the audience, a JSON object.
        ///   - group: the name of the experiment's group with that value; `nil` for an experiment that has not started.
        ///   - targeted: the value for an audience and, for an experiment, its group.
        public init(
            _ name: String, _ kind: Kind, _ value: String, group: String? = nil,
            targeted: (audience: LoopbackAudience, value: String, group: String?)? = nil
        ) {
            (self.name, self.kind, self.value) = (name, kind, value)
            (self.group, self.targeted) = (group, targeted)
        }
    }

    struct State {
        var gates: [Gate]
        var configs: [Config]
        /// The time of the last change.
        var time = 1_729_634_260_223
        /// The country of the requests' IP address.
        var country = "US"
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    let state: Mutex<State>
    private let clientKey: String
    let serverKey: String
    private let isAuthorizedForNames: Bool

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - gates: the served gates.
    ///   - configs: the served dynamic configs, experiments and layers.
    ///   - clientKey: the key of apps.
    ///   - serverKey: the key of servers.
    ///   - isAuthorizedForNames: whether apps get readable names if they request them.
    public init(
        _ gates: [Gate], _ configs: [Config] = [], clientKey: String = "client-key", serverKey: String = "secret-key",
        isAuthorizedForNames: Bool = true
    ) async throws {
        state = Mutex(State(gates: gates, configs: configs))
        (self.clientKey, self.serverKey) = (clientKey, serverKey)
        self.isAuthorizedForNames = isAuthorizedForNames
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL for a source's settings.
    public var url: String { "\(server.url)/v1" }

    /// Replaces all gates and configs.
    public func set(_ gates: [Gate], _ configs: [Config] = []) {
        state.withLock { state in
            (state.gates, state.configs) = (gates, configs)
            state.time += 1_000
        }
    }

    /// Moves the IP address of the requests to another country.
    public func move(to country: String) { state.withLock { $0.country = country } }
}

// The responses to requests.
extension LoopbackStatsig {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        switch (request.method, request.path) {
        case ("POST", "/v1/initialize"): return initialize(request)
        case ("GET", let path) where path.hasPrefix("/v2/download_config_specs/"): return specs(request)
        case ("POST", "/v1/log_event"): return .document(["success": true], status: 202)
        default: return .status(404)
        }
    }

    private func initialize(_ request: LoopbackRequest) -> LoopbackReply {
        guard request.headers["STATSIG-API-KEY"] == clientKey else { return .status(401) }
        guard let body = request.json, let user = body["user"], let hash = body["hash"]?.text?.string else {
            return .status(400)
        }
        let state = self.state.withLock { $0 }
        let country = body["previousDerivedFields"]?["country"]?.text?.string ?? state.country
        if body["sinceTime"]?.source == "\(state.time)", country == state.country { return .status(204) }
        let response = StatsigInitialize(
            user: user, hash: isAuthorizedForNames ? hash : "djb2",
            derivedFields: ["ip": "127.0.0.1", "country": .string(state.country)])
        return .document(response.json(state))
    }
}
#endif
