import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

/// A server that speaks LaunchDarkly's protocols on 127.0.0.1: those of its clients in browsers and apps, streams included,
/// and those of its servers, which the vendor's own Python client reads. Both tell of the same flags: each has the outcome
/// that a test gives it, and perhaps another one for an audience.
public final class LoopbackLaunchDarkly: Sendable {
    /// What the evaluation of one flag comes to.
    public struct Flag: Sendable {
        /// Its key.
        public var key: String
        /// Its value as JSON; `nil` where that is left to the app.
        public var value: String?
        /// Which of its variations.
        public var variation: Int?
        /// Why, as JSON; sent to who asks for it.
        public var reason: String?
        /// Its state in the environment.
        public var version: Int?
        /// More members as JSON, such as `prerequisites`.
        public var more: [(name: String, json: String)]
        /// The value for an audience, by an attribute of a user, as JSON. It is the variation after that for everybody else.
        public var targeted: (audience: LoopbackAudience, value: String)?

        /// A flag.
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

        /// What it comes to for who asks.
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
        /// Whether its streams say only that something has changed.
        var pingsOnly = false
        var knowsReport = true
        /// Whether the flags differ from one listener to the next, which news for all cannot tell.
        var isPersonal: Bool { flags.contains { $0.targeted != nil } }
    }

    /// The credentials of one environment.
    struct Environment {
        let id: String
        let mobileKey: String?
        let sdkKey: String?
        let secureModeHash: String?
    }

    /// What carries it; faults are injected there.
    public let server: LoopbackServer
    private let state: Mutex<State>
    let environment: Environment

    /// The name of the stream for browsers and apps.
    public static let clientStream = "launchdarkly-client"
    /// The name of the stream for servers.
    public static let serverStream = "launchdarkly-server"

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - flags: what it evaluates.
    ///   - environment: the client-side ID.
    ///   - mobileKey: the key of mobile apps; `nil` where there are none.
    ///   - sdkKey: the key of servers; `nil` where there are none.
    ///   - secureModeHash: the hash that it wants from browsers; `nil` where the secure mode is off.
    public init(
        _ flags: [Flag], environment: String = "client-side-id", mobileKey: String? = nil, sdkKey: String? = nil,
        secureModeHash: String? = nil
    ) async throws {
        state = Mutex(State(flags: flags))
        self.environment = Environment(
            id: environment, mobileKey: mobileKey, sdkKey: sdkKey, secureModeHash: secureModeHash)
        server = try await LoopbackServer { _ in .status(503) }
        server.answer { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// Its address, as the setting of a source, for requests and streams.
    public var url: String { server.url }

    /// Whether its streams say only that something has changed, as the oldest servers do.
    public func pingOnly(_ isOn: Bool = true) { state.withLock { $0.pingsOnly = isOn } }

    /// Whether it takes the method REPORT; what stands before a server often does not.
    public func knowReport(_ isKnown: Bool) { state.withLock { $0.knowsReport = isKnown } }

    /// What it evaluates.
    public var flags: [Flag] { state.withLock { $0.flags } }

    /// Changes what it evaluates without telling anybody.
    public func replace(_ flags: [Flag]) { state.withLock { $0.flags = flags } }

    /// Changes everything, and tells those who listen.
    public func put(_ flags: [Flag]) async {
        replace(flags)
        await server.push(firstEvent(for: nil), to: Self.clientStream)
        await server.push(serverPut, to: Self.serverStream)
    }

    /// Changes one flag, and tells those who listen.
    public func patch(_ flag: Flag) async {
        state.withLock { state in
            state.flags.removeAll { $0.key == flag.key }
            state.flags.append(flag)
        }
        let members = [("key", JSONOutput.string(flag.key))] + Self.members(of: flag, withReasons: true)
        await tell("patch", .object(members), path: flag.key, Self.rule(flag))
    }

    /// Takes one flag out, and tells those who listen.
    public func delete(_ key: String, version: Int) async {
        state.withLock { $0.flags.removeAll { $0.key == key } }
        await tell("delete", .object([("key", .string(key)), ("version", .integer(version))]), path: key, nil, version)
    }

    /// The sign of life that the service sends every 3 minutes.
    public func heartbeat() async {
        for stream in [Self.clientStream, Self.serverStream] { await server.push(Array(":\n\n".utf8), to: stream) }
    }

    private func tell(
        _ event: String, _ data: JSONOutput, path key: String, _ rule: JSONOutput?, _ version: Int = 0
    ) async {
        let isPing = state.withLock { $0.pingsOnly || $0.isPersonal }
        let news = ServerSentEvent(name: event, data: data.text(indented: false))
        await server.push(isPing ? Self.ping : news, to: Self.clientStream)
        var members: [(String, JSONOutput)] = [("path", .string("/flags/\(key)"))]
        members.append(rule.map { ("data", $0) } ?? ("version", .integer(version)))
        await server.push(
            ServerSentEvent(name: event, data: JSONOutput.object(members).text(indented: false)), to: Self.serverStream)
    }

    private static let ping = ServerSentEvent(name: "ping", data: "")

    /// What a client is told as soon as it listens, or all are; the latter only of flags that are the same for all.
    private func firstEvent(for context: JSONValue?) -> ServerSentEvent {
        state.withLock { state in
            guard !state.pingsOnly, context != nil || !state.isPersonal else { return Self.ping }
            return ServerSentEvent(name: "put", data: Self.answer(state.flags, for: context, withReasons: true))
        }
    }

    private var serverPut: ServerSentEvent {
        let data = JSONOutput.object([("path", .string("")), ("data", .raw(rules))])
        return ServerSentEvent(name: "put", data: data.text(indented: false))
    }

    /// What servers are told: rules that they evaluate.
    private var rules: String {
        JSONOutput.object([
            ("flags", .object(flags.map { ($0.key, Self.rule($0)) })), ("segments", .object([])),
        ]).text(indented: false)
    }
}

// The protocol.
extension LoopbackLaunchDarkly {
    /// What it says to a request, whichever server that came to.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        if let call = LaunchDarklyCall(request) { return answer(call, request) }
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

    private func answer(_ call: LaunchDarklyCall, _ request: LoopbackRequest) -> LoopbackReply {
        if request.method == "REPORT", !state.withLock({ $0.knowsReport }) { return .status(405) }
        if let rejection = call.rejection(environment, request) { return rejection }
        guard call.operation == .flags else {
            let first = call.operation == .ping ? Self.ping : firstEvent(for: call.context)
            return .stream(name: Self.clientStream, contentType: "text/event-stream", first: first.wireBytes)
        }
        let hasReasons = request.query("withReasons") == "true"
        return Self.tagged(Self.answer(flags, for: call.context, withReasons: hasReasons), request)
    }

    private static func tagged(_ text: String, _ request: LoopbackRequest) -> LoopbackReply {
        let etag = "\"\(StableHash.text(text))\""
        let isKnown = request.headers["If-None-Match"] == etag
        return isKnown ? .status(304, headers: [("ETag", etag)]) : .json(text, headers: [("ETag", etag)])
    }

    private static func answer(_ flags: [Flag], for context: JSONValue?, withReasons: Bool) -> String {
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

    /// The least that SDKs for servers take for a flag. It comes to the outcome that clients are told.
    private static func rule(_ flag: Flag) -> JSONOutput {
        let variation = flag.variation ?? 0
        let values =
            [JSONOutput](repeating: .null, count: variation) + [.raw(flag.value ?? "null")]
            + (flag.targeted.map { [.raw($0.value)] } ?? [])
        let reason = flag.reason.flatMap { try? JSONDocument(parsing: Array($0.utf8)).root }
        // One that no flag fulfils, as there is none of that key.
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
