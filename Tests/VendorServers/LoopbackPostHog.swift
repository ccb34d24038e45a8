#if Network
import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

/// PostHog on 127.0.0.1: the flags endpoint for all its clients, and the endpoint for their events. A flag is on for
/// all persons or for an audience of persons or groups.
///
/// Written from PostHog/posthog, `rust/feature-flags/src`: `api/endpoint.rs`, `api/types.rs`, `api/errors.rs` and
/// `handler/`. Like a server before `v=4`, it sends the records of `v=2` to newer clients as well.
public final class LoopbackPostHog: Sendable {
    /// A flag and its result.
    public struct Flag: Sendable {
        let key: String
        let isEnabled: Bool
        let variant: String?
        let payload: String?
        let audience: LoopbackAudience?
        let groupType: String?
        let runtime: String
        let isFailing: Bool

        /// Creates a flag.
        ///
        /// - Parameters:
        ///   - variant: the variant of an enabled flag; `nil` for a flag without variants.
        ///   - payload: the payload of an enabled flag, as JSON.
        ///   - audience: the audience for which the flag is on; `nil` for all. A person property defines the audience
        ///     or, if there is a group type, a group property.
        ///   - groupType: the group type that the flag is evaluated for; `nil` for persons.
        ///   - runtime: the evaluation runtime: `all`, `client` or `server`.
        ///   - isFailing: whether the flag cannot be evaluated.
        public init(
            _ key: String, _ isEnabled: Bool = true, variant: String? = nil, payload: String? = nil,
            audience: LoopbackAudience? = nil, groupType: String? = nil, runtime: String = "all",
            isFailing: Bool = false
        ) {
            (self.key, self.isEnabled, self.variant, self.payload) = (key, isEnabled, variant, payload)
            (self.audience, self.groupType, self.runtime, self.isFailing) = (audience, groupType, runtime, isFailing)
        }
    }

    private struct State {
        var flags: [Flag]
        var isQuotaLimited = false
        /// The number of evaluated requests.
        var count = 0
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    private let state: Mutex<State>
    private let key: String

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - flags: the served flags.
    ///   - key: the project API key.
    public init(_ flags: [Flag], key: String = "phc_loopback") async throws {
        state = Mutex(State(flags: flags))
        self.key = key
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL for a source's settings and for the vendor's clients.
    public var url: String { server.url }

    /// Replaces all flags.
    public func set(_ flags: [Flag]) { state.withLock { $0.flags = flags } }

    /// Sets whether the project has reached its billing limit for feature flags.
    public func limitQuota(_ isQuotaLimited: Bool = true) { state.withLock { $0.isQuotaLimited = isQuotaLimited } }
}

// The responses to requests, as the service sends them.
extension LoopbackPostHog {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        switch (request.method, request.path) {
        case ("POST", "/flags"), ("POST", "/flags/"): return flags(request)
        case ("POST", "/batch/"): return .document(["status": "Ok"])
        default: return .status(404)
        }
    }

    private func flags(_ request: LoopbackRequest) -> LoopbackReply {
        guard let body = request.json, (body["token"] ?? body["api_key"])?.text?.string == key else {
            let sentence = "The provided API key is invalid or has expired. Please check your API key and try again."
            return .document(["code": "authentication_failed", "detail": .string(sentence)], status: 401)
        }
        let (flags, isQuotaLimited, count) = state.withLock { state in
            state.count += 1
            return (state.flags, state.isQuotaLimited, state.count)
        }
        let userAgent = request.headers["User-Agent"]
        let requested = isQuotaLimited ? [] : flags.filter { Self.isRequested($0, in: body, userAgent) }
        // The flags of PostHog's own server have no fixed order.
        let ordered = count.isMultiple(of: 2) ? requested : requested.reversed()
        return .document([
            "errorsWhileComputingFlags": .bool(requested.contains(where: \.isFailing)),
            "flags": .object(ordered.map { ($0.key, Self.record($0, Self.result(of: $0, for: body))) }),
            "requestId": .string("request-\(count)"), "evaluatedAt": .integer(1_750_000_000_000 + count),
            "quotaLimited": isQuotaLimited ? ["feature_flags"] : nil,
        ])
    }

    /// A flag in the format of `v=2`. The payload is JSON in a string.
    private static func record(_ flag: Flag, _ result: Result) -> JSONOutput {
        [
            "key": .string(flag.key), "enabled": .bool(result.isOn), "variant": .text(result.isOn ? flag.variant : nil),
            "reason": [
                "code": .string(result.code), "condition_index": result.isOn ? 0 : .null,
                "description": .string(result.description),
            ],
            "metadata": [
                "id": .integer(flag.key.utf8.count), "version": 1, "description": .null,
                "payload": .text(result.isOn ? flag.payload : nil), "has_experiment": false,
            ],
            "failed": flag.isFailing ? true : nil,
        ]
    }

    private typealias Result = (isOn: Bool, code: String, description: String)

    /// Whether a flag is evaluated. Its runtime and the requested keys determine this (`handler/flags.rs`).
    private static func isRequested(_ flag: Flag, in body: JSONValue, _ userAgent: String?) -> Bool {
        let keys = body["flag_keys_to_evaluate"].map { $0.elements.compactMap { $0.text?.string } }
        let isServer = userAgent?.hasPrefix("posthog-python/") == true
        let runtime = body["evaluation_runtime"]?.text?.string ?? (isServer ? "server" : "")
        return keys?.contains(flag.key) != false && (["all", runtime].contains(flag.runtime) || runtime == "all")
    }

    /// The result of a flag, with a reason as in `flags/flag_match_reason.rs`.
    private static func result(of flag: Flag, for body: JSONValue) -> Result {
        if flag.isFailing { return (false, "timeout_error", "Timed out while fetching data") }
        guard flag.isEnabled else { return (false, "flag_disabled", "Feature flag is disabled") }
        let group = flag.groupType.flatMap { body["groups"]?[$0] }
        if flag.groupType != nil, group == nil { return (false, "no_group_type", "No group type") }
        let properties = flag.groupType.map { body["group_properties"]?[$0] } ?? body["person_properties"]
        // The server adds the group's key to the properties of the group (`handler/properties.rs`).
        let groupKey = flag.audience?.fact == "$group_key" ? group?.flagText?.string : nil
        if let audience = flag.audience, !audience.includes(properties), !audience.includes(groupKey) {
            return (false, "no_condition_match", "No matching condition set")
        }
        return (true, "condition_match", "Matched condition set 1")
    }
}
#endif
