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
        /// The flag key.
        public var key: String
        /// The value as JSON; `nil` if it is left to the app.
        public var value: String?
        /// The index of the variation.
        public var variation: Int?
        /// The reason as JSON; sent only if requested.
        public var reason: String?
        /// The flag's version in the environment.
        public var version: Int?
        /// More members as JSON, such as `prerequisites`.
        public var more: [(name: String, json: String)]
        /// The value as JSON for an audience, which an attribute of the user defines. The index of this value is
        /// `variation` + 1.
        public var targeted: (audience: LoopbackAudience, value: String)?

        /// Creates a flag.
        public init(
            _ key: String, _ value: String?, variation: Int? = 0, reason: String? = #"{"kind":"FALLTHROUGH"}"#,
            version: Int? = 1, more: [(name: String, json: String)] = [],
            targeted: (audience: LoopbackAudience, value: String)? = nil
        ) {
            self.key = key
            self.value = value
            self.variation = variation
            self.reason = reason
            self.version = version
            self.more = more
            self.targeted = targeted
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
        var knowsReport = true
        /// Whether flags differ between subscribers, so that one update for all is not possible.
        var isPersonal: Bool { flags.contains { $0.targeted != nil } }
    }

    /// The credentials of one environment.
    struct Environment {
        let id: String
        let mobileKey: String?
        let sdkKey: String?
        let secureModeHash: String?
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    private let state: Mutex<State>
    let environment: Environment

    /// The name of the stream for browsers and apps.
    public static let clientStream = "launchdarkly-client"
    /// The name of the stream for servers.
    public static let serverStream = "launchdarkly-server"

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - flags: the served flags.
    ///   - environment: the client-side ID.
    ///   - mobileKey: the key of mobile apps; `nil` for none.
    ///   - sdkKey: the key of servers; `nil` for none.
    ///   - secureModeHash: the hash that browsers must send; `nil` if the secure mode is off.
    public init(
        _ flags: [Flag], environment: String = "client-side-id", mobileKey: String? = nil, sdkKey: String? = nil,
        secureModeHash: String? = nil
    ) async throws {
        state = Mutex(State(flags: flags))
        self.environment = Environment(
            id: environment, mobileKey: mobileKey, sdkKey: sdkKey, secureModeHash: secureModeHash)
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL of requests and streams for a source's settings.
    public var url: String { server.url }

    /// Sets whether streams send only pings, as the oldest servers do.
    public func pingOnly(_ isOn: Bool = true) { state.withLock { $0.pingsOnly = isOn } }

    /// Sets whether the server accepts the method REPORT, which proxies often reject.
    public func knowReport(_ isKnown: Bool) { state.withLock { $0.knowsReport = isKnown } }

    /// The served flags.
    public var flags: [Flag] { state.withLock { $0.flags } }

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
        let members = [("key", JSONOutput.string(flag.key))] + Self.members(of: flag, withReasons: true)
        await report("patch", .object(members), path: flag.key, Self.rule(flag))
    }

    /// Deletes one flag and sends the deletion to subscribers.
    public func delete(_ key: String, version: Int) async {
        state.withLock { $0.flags.removeAll { $0.key == key } }
        await report(
            "delete", .object([("key", .string(key)), ("version", .integer(version))]), path: key, nil, version)
    }

    /// Sends the heartbeat that the service sends every 3 minutes.
    public func heartbeat() async {
        for stream in [Self.clientStream, Self.serverStream] { await server.push(Array(":\n\n".utf8), to: stream) }
    }

    private func report(
        _ event: String, _ data: JSONOutput, path key: String, _ rule: JSONOutput?, _ version: Int = 0
    ) async {
        let isPing = state.withLock { $0.pingsOnly || $0.isPersonal }
        let updates = ServerSentEvent(name: event, data: data.text(indented: false))
        await server.push(isPing ? Self.ping : updates, to: Self.clientStream)
        var members: [(String, JSONOutput)] = [("path", .string("/flags/\(key)"))]
        members.append(rule.map { ("data", $0) } ?? ("version", .integer(version)))
        await server.push(
            ServerSentEvent(name: event, data: JSONOutput.object(members).text(indented: false)), to: Self.serverStream)
    }

    private static let ping = ServerSentEvent(name: "ping", data: "")

    /// The first event for a subscriber with a context. If `context` is `nil`, an event for all subscribers: a ping if
    /// their flags differ.
    private func firstEvent(for context: JSONValue?) -> ServerSentEvent {
        state.withLock { state in
            guard !state.pingsOnly, context != nil || !state.isPersonal else { return Self.ping }
            return ServerSentEvent(name: "put", data: Self.respond(state.flags, for: context, withReasons: true))
        }
    }

    private var serverPut: ServerSentEvent {
        let data = JSONOutput.object([("path", .string("")), ("data", .raw(rules))])
        return ServerSentEvent(name: "put", data: data.text(indented: false))
    }

    /// The rules that server SDKs get and evaluate.
    private var rules: String {
        JSONOutput.object([
            ("flags", .object(flags.map { ($0.key, Self.rule($0)) })), ("segments", .object([])),
        ]).text(indented: false)
    }
}

// The responses to requests, as the service sends them.
extension LoopbackLaunchDarkly {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        if let call = LaunchDarklyCall(request) { return respond(call, request) }
        let events = ["/mobile/events/bulk", "/mobile/events/diagnostic", "/bulk", "/diagnostic"]
        if request.method == "POST", events.contains(request.path) || request.path.hasPrefix("/events/") {
            return .status(202)
        }
        guard ["/all", "/sdk/latest-all"].contains(request.path) else { return .status(404) }
        guard let key = environment.sdkKey, request.headers["Authorization"] == key else { return .status(401) }
        guard request.path != "/all" else {
            return .stream(
                name: Self.serverStream, contentType: "text/event-stream", first: serverPut.wireBytes)
        }
        return Self.tagged(rules, request)
    }

    private func respond(_ call: LaunchDarklyCall, _ request: LoopbackRequest) -> LoopbackReply {
        if request.method == "REPORT", !state.withLock({ $0.knowsReport }) { return .status(405) }
        if let rejection = call.rejection(environment, request) { return rejection }
        guard call.operation == .flags else {
            let first = call.operation == .ping ? Self.ping : firstEvent(for: call.context)
            return .stream(name: Self.clientStream, contentType: "text/event-stream", first: first.wireBytes)
        }
        let hasReasons = request.query("withReasons") == "true"
        return Self.tagged(Self.respond(flags, for: call.context, withReasons: hasReasons), request)
    }

    private static func tagged(_ text: String, _ request: LoopbackRequest) -> LoopbackReply {
        let etag = "\"\(StableHash.text(text))\""
        let isKnown = request.headers["If-None-Match"] == etag
        return isKnown ? .status(304, headers: [("ETag", etag)]) : .json(text, headers: [("ETag", etag)])
    }

    private static func respond(_ flags: [Flag], for context: JSONValue?, withReasons: Bool) -> String {
        let flags = flags.map { $0.evaluated(for: context) }
        return JSONOutput.object(flags.map { ($0.key, .object(members(of: $0, withReasons: withReasons))) })
            .text(indented: false)
    }

    private static func members(of flag: Flag, withReasons: Bool) -> [(String, JSONOutput)] {
        var result: [(String, JSONOutput)] = []
        if let value = flag.value { result.append(("value", .raw(value))) }
        if let variation = flag.variation { result.append(("variation", .integer(variation))) }
        if let version = flag.version {
            result += [("version", .integer(version)), ("flagVersion", .integer(version))]
        }
        result.append(("trackEvents", .bool(false)))
        if withReasons, let reason = flag.reason { result.append(("reason", .raw(reason))) }
        return result + flag.more.map { ($0.name, .raw($0.json)) }
    }

    /// The smallest rule that server SDKs accept for a flag. With it they get the same result as client SDKs.
    private static func rule(_ flag: Flag) -> JSONOutput {
        let variation = flag.variation ?? 0
        let values =
            [JSONOutput](repeating: .null, count: variation) + [.raw(flag.value ?? "null")]
            + (flag.targeted.map { [.raw($0.value)] } ?? [])
        let reason = flag.reason.flatMap { try? JSONDocument(parsing: Array($0.utf8)).root }
        // A prerequisite that always fails, because there is no flag with that key.
        let failed = reason?["prerequisiteKey"]?.text.map { key -> JSONOutput in
            .object([("key", .string(key.string)), ("variation", .integer(0))])
        }
        return .object([
            ("key", .string(flag.key)), ("on", .bool(reason?["kind"]?.text != "OFF")),
            ("prerequisites", .array(failed.map { [$0] } ?? [])), ("targets", .array([])),
            ("rules", .array(flag.targeted.map { [clause($0.audience, of: flag, variation + 1)] } ?? [])),
            ("fallthrough", .object([("variation", .integer(variation))])), ("offVariation", .integer(variation)),
            ("variations", .array(values)), ("clientSide", .bool(true)), ("salt", .string("")),
            ("version", .integer(flag.version ?? 1)), ("deleted", .bool(false)),
        ])
    }

    private static func clause(_ audience: LoopbackAudience, of flag: Flag, _ variation: Int) -> JSONOutput {
        let clause = JSONOutput.object([
            ("contextKind", .string("user")), ("attribute", .string(audience.fact)), ("op", .string("in")),
            ("values", audience.list), ("negate", .bool(false)),
        ])
        return .object([
            ("id", .string("rule-of-\(flag.key)")), ("variation", .integer(variation)), ("clauses", .array([clause])),
            ("trackEvents", .bool(false)),
        ])
    }
}
#endif
