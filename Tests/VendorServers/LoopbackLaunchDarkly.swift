#if Network
import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

/// A server with LaunchDarkly's protocols on 127.0.0.1: the client-side protocol for browsers and apps, with streams,
/// and the server-side protocol, which LaunchDarkly's Python SDK uses. Both protocols serve the same flags. Each flag
/// has the result that a test sets, and optionally another result for an audience.
public final class LoopbackLaunchDarkly: Sendable {
    /// The evaluation result of one flag.
    public struct Flag: Sendable {
        let key: String
        var value: String?
        var variation: Int?
        var reason: String?
        let version: Int?
        let targeted: (audience: LoopbackAudience, value: String)?

        /// Creates a flag.
        ///
        /// - Parameters:
        ///   - value: the value as JSON; `nil` if it is left to the app.
        ///   - variation: the index of the variation.
        ///   - reason: the reason as JSON; sent only if requested.
        ///   - version: the flag's version in the environment.
        ///   - targeted: the value as JSON for an audience, which an attribute of the user defines. The index of this
        ///     value is `variation` + 1.
        public init(
            _ key: String, _ value: String?, variation: Int? = 0, reason: String? = #"{"kind":"FALLTHROUGH"}"#,
            version: Int? = 1, targeted: (audience: LoopbackAudience, value: String)? = nil
        ) {
            (self.key, self.value, self.variation, self.reason) = (key, value, variation, reason)
            (self.version, self.targeted) = (version, targeted)
        }

        /// The result for a context.
        fileprivate func evaluated(for context: JSONValue?) -> Flag {
            let user = context?["kind"]?.text == "multi" ? context?["user"] : context
            guard let targeted, targeted.audience.includes(user) else { return self }
            var result = self
            result.value = targeted.value
            result.variation = (variation ?? 0) + 1
            result.reason = #"{"kind":"RULE_MATCH","ruleIndex":0,"ruleId":"rule-of-\#(key)"}"#
            return result
        }
    }

    private struct State {
        var flags: [Flag]
        /// Whether streams send only pings.
        var pingsOnly = false
        /// Whether flags differ between subscribers, so that one update for all is not possible.
        var isPersonal: Bool { flags.contains { $0.targeted != nil } }
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    private let state: Mutex<State>
    private let mobileKey: String?
    private let sdkKey: String?
    private let secureModeHash: String?

    /// The name of the stream for browsers and apps.
    public static let clientStream = "launchdarkly-client"
    /// The name of the stream for servers.
    public static let serverStream = "launchdarkly-server"

    /// Starts the server. The client-side ID is `client-side-id`.
    ///
    /// - Parameters:
    ///   - flags: the served flags.
    ///   - mobileKey: the key of mobile apps; `nil` for none.
    ///   - sdkKey: the key of servers; `nil` for none.
    ///   - secureModeHash: the hash that browsers must send; `nil` if the secure mode is off.
    public init(
        _ flags: [Flag], mobileKey: String? = nil, sdkKey: String? = nil, secureModeHash: String? = nil
    ) async throws {
        state = Mutex(State(flags: flags))
        (self.mobileKey, self.sdkKey, self.secureModeHash) = (mobileKey, sdkKey, secureModeHash)
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL of requests and streams for a source's settings.
    public var url: String { server.url }

    /// Makes streams send only pings, as the oldest servers do.
    public func pingOnly() { state.withLock { $0.pingsOnly = true } }

    /// Replaces all flags without an update to subscribers.
    public func replace(_ flags: [Flag]) { state.withLock { $0.flags = flags } }

    /// Replaces all flags and sends them to subscribers.
    public func put(_ flags: [Flag]) async {
        replace(flags)
        await server.push(firstEvent(for: nil), to: Self.clientStream)
        await server.push(serverPut, to: Self.serverStream)
    }

    /// Changes one flag and sends it to subscribers.
    public func patch(_ flag: Flag) async {
        state.withLock { state in
            state.flags.removeAll { $0.key == flag.key }
            state.flags.append(flag)
        }
        let key: JSONOutput = ["key": .string(flag.key)]
        let rule: JSONOutput = ["path": "/flags/\(flag.key)", "data": Self.rule(flag)]
        await report("patch", key.adding(Self.json(flag, withReason: true)), rule)
    }

    /// Deletes one flag and sends the deletion to subscribers.
    public func delete(_ key: String, version: Int) async {
        state.withLock { $0.flags.removeAll { $0.key == key } }
        let version = JSONOutput.integer(version)
        await report(
            "delete", ["key": .string(key), "version": version], ["path": "/flags/\(key)", "version": version])
    }

    /// Sends the heartbeat that the service sends every 3 minutes.
    public func heartbeat() async {
        for stream in [Self.clientStream, Self.serverStream] { await server.push(Array(":\n\n".utf8), to: stream) }
    }

    private func report(_ event: String, _ client: JSONOutput, _ server: JSONOutput) async {
        let isPing = state.withLock { $0.pingsOnly || $0.isPersonal }
        let update = ServerSentEvent(name: event, data: client.line)
        await self.server.push(isPing ? Self.ping : update, to: Self.clientStream)
        await self.server.push(ServerSentEvent(name: event, data: server.line), to: Self.serverStream)
    }

    private static let ping = ServerSentEvent(name: "ping", data: "")

    /// The first event for a subscriber with a context. If `context` is `nil`, an event for all subscribers: a ping if
    /// their flags differ.
    private func firstEvent(for context: JSONValue?) -> ServerSentEvent {
        let isPing = state.withLock { $0.pingsOnly || context == nil && $0.isPersonal }
        return isPing ? Self.ping : ServerSentEvent(name: "put", data: evaluated(for: context, withReasons: true).line)
    }

    private var serverPut: ServerSentEvent {
        ServerSentEvent(name: "put", data: (["path": "", "data": rules] as JSONOutput).line)
    }
}

// The responses to requests, as the service sends them.
extension LoopbackLaunchDarkly {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        if let call = LaunchDarklyCall(request) { return respond(to: call, request) }
        if request.method == "POST", ["/bulk", "/diagnostic"].contains(request.path) { return .status(202) }
        guard ["/all", "/sdk/latest-all"].contains(request.path) else { return .status(404) }
        guard let sdkKey, request.headers["Authorization"] == sdkKey else { return .status(401) }
        return request.path == "/all"
            ? .events(Self.serverStream, first: serverPut) : .tagged(rules, for: request, isWeak: false)
    }

    private func respond(to call: LaunchDarklyCall, _ request: LoopbackRequest) -> LoopbackReply {
        guard ["client-side-id", nil].contains(call.environment) else { return .status(404) }
        let isAllowed =
            call.environment == nil
            ? mobileKey.map { request.headers["Authorization"] == "api_key \($0)" } ?? false
            : secureModeHash == nil || request.query("h") == secureModeHash
        guard isAllowed else { return .status(401) }
        guard let context = call.context else { return .status(400) }
        guard !call.isStream else { return .events(Self.clientStream, first: firstEvent(for: context)) }
        let hasReasons = request.query("withReasons") == "true"
        return .tagged(evaluated(for: context, withReasons: hasReasons), for: request, isWeak: false)
    }

    /// The rules that server SDKs get and evaluate.
    private var rules: JSONOutput {
        let flags = state.withLock { $0.flags }
        return ["flags": .object(flags.map { ($0.key, Self.rule($0)) }), "segments": [:]]
    }

    private func evaluated(for context: JSONValue?, withReasons: Bool) -> JSONOutput {
        let flags = state.withLock { $0.flags }.map { $0.evaluated(for: context) }
        return .object(flags.map { ($0.key, Self.json($0, withReason: withReasons)) })
    }

    private static func json(_ flag: Flag, withReason: Bool) -> JSONOutput {
        let version = flag.version.map { JSONOutput.integer($0) }
        return [
            "value": flag.value.map { .raw($0) }, "variation": flag.variation.map { .integer($0) },
            "version": version, "flagVersion": version, "trackEvents": false,
            "reason": withReason ? flag.reason.map { .raw($0) } : nil,
        ]
    }

    /// The smallest rule that server SDKs accept for a flag. With it they get the same result as client SDKs.
    private static func rule(_ flag: Flag) -> JSONOutput {
        let variation = flag.variation ?? 0
        let values = [flag.value ?? "null", flag.targeted?.value].compactMap { $0 }.map { JSONOutput.raw($0) }
        let reason = flag.reason.flatMap { JSONValue.parsed($0.utf8) }
        // A prerequisite that always fails, because there is no flag with that key.
        let failed = reason?["prerequisiteKey"]?.text.map { ["key": .string($0.string), "variation": 0] as JSONOutput }
        return [
            "key": .string(flag.key), "on": .bool(reason?["kind"]?.text != "OFF"),
            "prerequisites": [failed], "targets": [],
            "rules": [flag.targeted.map { rule($0.audience, of: flag, variation + 1) }],
            "fallthrough": ["variation": .integer(variation)], "offVariation": .integer(variation),
            "variations": .array([JSONOutput](repeating: .null, count: variation) + values), "clientSide": true,
            "salt": "", "version": .integer(flag.version ?? 1),
            "deleted": false,
        ]
    }

    private static func rule(_ audience: LoopbackAudience, of flag: Flag, _ variation: Int) -> JSONOutput {
        let clause: JSONOutput = [
            "contextKind": "user", "attribute": .string(audience.fact), "op": "in", "values": audience.list,
            "negate": false,
        ]
        return [
            "id": "rule-of-\(flag.key)", "variation": .integer(variation), "clauses": [clause], "trackEvents": false,
        ]
    }
}

/// A request of LaunchDarkly's client SDKs, parsed from its URL.
private struct LaunchDarklyCall {
    let isStream: Bool
    /// The client-side ID in the URL; `nil` on the paths for mobile apps.
    let environment: String?
    /// The context as JSON; `nil` if it is malformed.
    let context: JSONValue?

    /// Parses a request; `nil` for other URLs.
    init?(_ request: LoopbackRequest) {
        var parts = request.path.split(separator: "/").map { PercentEncoding.decoded(String($0)) }
        let isReport = request.method == "REPORT"
        let bytes = isReport ? request.body : parts.popLast().flatMap(Base64Text.bytes)
        let isMobile = parts.first?.hasPrefix("m") ?? false
        isStream = parts.first?.hasSuffix("eval") ?? false
        environment = isMobile ? nil : parts.dropFirst(isStream ? 1 : 2).first
        context = bytes.flatMap { JSONValue.parsed($0) }
        let start = (isMobile ? "m" : "") + (isStream ? "eval" : "sdk/evalx")
        let path = [start, environment, isStream ? nil : isReport ? "context" : "contexts"].compactMap { $0 }
        guard isReport || request.method == "GET", parts.joined(separator: "/") == path.joined(separator: "/") else {
            return nil
        }
    }
}
#endif
