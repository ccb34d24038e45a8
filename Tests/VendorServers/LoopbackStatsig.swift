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

/// The response to `POST /v1/initialize`. It has the members that the SDK for Python writes for apps
/// (`get_client_initialize_response` of statsig-python-core). It also has members that only the service writes
/// (`initialize.json` of js-client-monorepo).
private struct StatsigInitialize {
    let user: JSONValue
    let hash: String
    let derivedFields: JSONOutput

    func json(_ state: LoopbackStatsig.State) -> JSONOutput {
        func configs(_ isIncluded: (LoopbackStatsig.Config) -> Bool) -> JSONOutput {
            .object(state.configs.filter(isIncluded).map { (hashed($0.name), config($0)) })
        }
        return [
            "feature_gates": .object(state.gates.map { (hashed($0.name), gate($0)) }),
            "dynamic_configs": configs { $0.kind != .layer }, "layer_configs": configs { $0.kind == .layer },
            "sdkParams": [:], "has_updates": true, "generator": "scrapi-nest", "time": .integer(state.time),
            "company_lcut": .integer(state.time), "evaluated_keys": ["userID": .text(user["userID"]?.text?.string)],
            "hash_used": .string(hash), "derived_fields": derivedFields, "param_stores": [:],
            "user": .raw(user.compactJSON),
        ]
    }

    private func gate(_ gate: LoopbackStatsig.Gate) -> JSONOutput {
        let isTargeted = gate.audience.map(includes)
        let isOn = gate.isOn && isTargeted ?? true
        let rule = !isOn ? "default" : isTargeted == nil ? "everyone" : "targeted"
        return evaluation(gate.name, rule).adding(["value": .bool(isOn)])
    }

    private func config(_ config: LoopbackStatsig.Config) -> JSONOutput {
        let isExperiment = config.kind == .experiment
        let isActive = !isExperiment || config.group != nil
        let targeted = isActive ? config.targeted.flatMap { includes($0.audience) ? $0 : nil } : nil
        let rest = isExperiment ? isActive ? "everyone" : "prestart" : "default"
        let rule = targeted == nil ? rest : "targeted"
        let group = isExperiment ? targeted.map { $0.group } ?? config.group : nil
        return evaluation(config.name, rule).adding([
            "value": .raw(targeted?.value ?? config.value), "is_device_based": false, "group": .string(rule),
            "passed": config.kind == .dynamicConfig ? .bool(targeted != nil) : nil,
            "explicit_parameters": config.kind == .dynamicConfig ? nil : [],
            "undelegated_secondary_exposures": config.kind == .layer ? [] : nil,
            "group_name": group.map { .string($0) }, "is_experiment_active": isExperiment ? .bool(isActive) : nil,
            "is_user_in_experiment": isExperiment ? .bool(isActive) : nil,
        ])
    }

    private func evaluation(_ name: String, _ rule: String) -> JSONOutput {
        ["name": .string(hashed(name)), "rule_id": .string(rule), "secondary_exposures": [], "id_type": "userID"]
    }

    /// Whether the audience includes the user. Conditions read the user's fields, then the custom attributes.
    private func includes(_ audience: LoopbackAudience) -> Bool {
        audience.includes(user) || audience.includes(user["custom"])
    }

    /// A name as apps receive it (`Hashing.ts` of js-client-monorepo).
    private func hashed(_ name: String) -> String {
        guard hash == "djb2" else { return name }
        var result: Int32 = 0
        for unit in name.utf16 { result = (result << 5) &- result &+ Int32(unit) }
        return "\(UInt32(bitPattern: result))"
    }
}
#endif
