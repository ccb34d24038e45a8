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
        /// The flag key.
        public var key: String
        /// Whether the flag is enabled.
        public var isEnabled: Bool
        /// The variant of an enabled flag; `nil` for a flag without variants.
        public var variant: String?
        /// The payload of an enabled flag, as JSON.
        public var payload: String?
        /// The audience for which the flag is on; `nil` for all. A person property defines the audience or, if there is
        /// a group type, a group property.
        public var audience: LoopbackAudience?
        /// The group type that the flag is evaluated for; `nil` for persons.
        public var groupType: String?
        /// The evaluation runtime: `all`, `client` or `server`.
        public var runtime: String
        /// The evaluation contexts that the flag is evaluated in; empty for all.
        public var tags: [String]
        /// Whether the flag cannot be evaluated.
        public var isFailing: Bool

        /// Creates a flag.
        public init(
            _ key: String, _ isEnabled: Bool = true, variant: String? = nil, payload: String? = nil,
            audience: LoopbackAudience? = nil, groupType: String? = nil, runtime: String = "all", tags: [String] = [],
            isFailing: Bool = false
        ) {
            (self.key, self.isEnabled, self.variant, self.payload) = (key, isEnabled, variant, payload)
            (self.audience, self.groupType, self.runtime, self.tags) = (audience, groupType, runtime, tags)
            self.isFailing = isFailing
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
        case ("GET", "/flags"), ("GET", "/flags/"):
            return .json(
                #"{"errorsWhileComputingFlags":false,"flags":{},"config":{"enable_collect_everything":true}}"#)
        case ("POST", "/batch/"): return .json(#"{"status":"Ok"}"#)
        default: return .status(404)
        }
    }

    private func flags(_ request: LoopbackRequest) -> LoopbackReply {
        guard let body = request.json, body.kind == .object else {
            let sentence = "Failed to decode request: invalid JSON. Please check your request format and try again."
            return Self.text(sentence, status: 400)
        }
        guard let token = (body["token"] ?? body["api_key"])?.text?.string, !token.isEmpty else {
            return Self.unauthorized(
                "not_authenticated", "No API token provided. Please include a valid API token in your request.")
        }
        guard token == key else {
            return Self.unauthorized(
                "authentication_failed",
                "The provided API key is invalid or has expired. Please check your API key and try again.")
        }
        guard body["distinct_id"]?.flagText != nil else {
            let sentence =
                "The distinct_id field is missing from the request. Please include a valid identifier."
            return Self.text(sentence, status: 400)
        }
        let (flags, isQuotaLimited, count) = state.withLock { state in
            state.count += 1
            return (state.flags, state.isQuotaLimited, state.count)
        }
        let call = PostHogCall(body, userAgent: request.headers["User-Agent"] ?? "")
        let requested = isQuotaLimited ? [] : flags.filter(call.includes)
        // The flags of PostHog's own server have no fixed order.
        let results = (count.isMultiple(of: 2) ? requested : requested.reversed()).map { ($0, call.result(of: $0)) }
        let version = Int(request.query("v") ?? "") ?? 1
        var members: [(String, JSONOutput)] = [
            ("errorsWhileComputingFlags", .bool(requested.contains(where: \.isFailing)))
        ]
        if version >= 2 {
            members.append(("flags", .object(results.map { Self.record($0.0, $0.1) })))
        } else {
            members += Self.legacyMembers(results)
        }
        if isQuotaLimited { members.append(("quotaLimited", .array([.string("feature_flags")]))) }
        let digits = String(count)
        members.append(
            (
                "requestId",
                .string("00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
            ))
        members.append(("evaluatedAt", .integer(1_750_000_000_000 + count)))
        return .json(JSONOutput.object(members).text(indented: false))
    }

    /// A flag in the format of `v=2`. The payload is JSON in a string.
    private static func record(_ flag: Flag, _ result: PostHogCall.Result) -> (String, JSONOutput) {
        let isOn = result.isOn
        var members: [(String, JSONOutput)] = [
            ("key", .string(flag.key)), ("enabled", .bool(isOn)),
            ("variant", (isOn ? flag.variant : nil).map { .string($0) } ?? .null),
        ]
        if flag.isFailing { members.append(("failed", .bool(true))) }
        let index = result.conditionIndex.map { JSONOutput.integer($0) } ?? .null
        let reason: [(String, JSONOutput)] = [
            ("code", .string(result.code)), ("condition_index", index), ("description", .string(result.description)),
        ]
        let metadata: [(String, JSONOutput)] = [
            ("id", .integer(flag.key.utf8.count)), ("version", .integer(1)), ("description", .null),
            ("payload", (isOn ? flag.payload : nil).map { .string($0) } ?? .null), ("has_experiment", .bool(false)),
        ]
        members += [("reason", .object(reason)), ("metadata", .object(metadata))]
        return (flag.key, .object(members))
    }

    /// The members of a response before `v=2`.
    private static func legacyMembers(_ results: [(Flag, PostHogCall.Result)]) -> [(String, JSONOutput)] {
        let values = results.map { flag, result -> (String, JSONOutput) in
            let variant = result.isOn ? flag.variant : nil
            return (flag.key, variant.map { .string($0) } ?? .bool(result.isOn))
        }
        let payloads = results.compactMap { flag, result -> (String, JSONOutput)? in
            let payload = result.isOn ? flag.payload : nil
            return payload.map { (flag.key, .string($0)) }
        }
        return [("featureFlags", .object(values)), ("featureFlagPayloads", .object(payloads))]
    }

    private static func unauthorized(_ code: String, _ detail: String) -> LoopbackReply {
        .json(
            #"{"type":"authentication_error","code":"\#(code)","detail":"\#(detail)","attr":null}"#, status: 401)
    }

    private static func text(_ text: String, status: Int) -> LoopbackReply {
        .respond(
            SourceResponse(
                status: status, headers: SourceHeaders([("Content-Type", "text/plain; charset=utf-8")]),
                body: Array(text.utf8)))
    }
}
#endif
