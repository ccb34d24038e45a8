#if Network
import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

/// A Split evaluator on 127.0.0.1, and the service with a stream that Split's Python SDK uses. Both serve the same
/// flags. Each flag has the treatment that a test sets, and optionally another treatment for an audience.
public final class LoopbackSplit: Sendable {
    /// The evaluation result of one flag.
    public struct Flag: Sendable {
        /// The flag name.
        public var name: String
        /// The treatment for all users outside of the audience.
        public var treatment: String
        /// The configuration of that treatment, always a string.
        public var config: String?
        /// The traffic type of the keys that the flag is evaluated for.
        public var trafficType: String
        /// The flag sets that contain the flag.
        public var sets: [String]
        /// The treatment and its configuration for an audience, which an attribute of the user defines.
        public var targeted: (audience: LoopbackAudience, treatment: String, config: String?)?

        /// Creates a flag.
        public init(
            _ name: String, _ treatment: String, config: String? = nil, trafficType: String = "user",
            sets: [String] = [],
            targeted: (audience: LoopbackAudience, treatment: String, config: String?)? = nil
        ) {
            self.name = name
            self.treatment = treatment
            self.config = config
            self.trafficType = trafficType
            self.sets = sets
            self.targeted = targeted
        }

        /// The result for some attributes.
        func evaluated(for attributes: JSONValue?) -> Flag {
            guard let targeted, targeted.audience.includes(attributes) else { return self }
            var result = self
            (result.treatment, result.config) = (targeted.treatment, targeted.config)
            return result
        }

        /// All treatments and their configurations.
        var outcomes: [(treatment: String, config: String?)] {
            [(treatment, config)] + (targeted.map { [($0.treatment, $0.config)] } ?? [])
        }

        /// The configurations by treatment.
        var configurations: JSONOutput {
            .object(outcomes.compactMap { outcome in outcome.config.map { (outcome.treatment, .string($0)) } })
        }
    }

    struct State {
        var flags: [Flag]
        /// Deleted flags. The service continues to send them as archived, so that SDKs remove them.
        var archived: [Flag] = []
        /// The change number of the flags, which increases with each change.
        var changeNumber = 10
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    let state: Mutex<State>
    private let token: String?
    let sdkKey: String

    /// The name of the service's stream.
    public static let stream = "split-events"

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - flags: the served flags.
    ///   - token: the token that requests to the evaluator need; `nil` for none.
    ///   - sdkKey: the key that requests of SDKs need.
    public init(_ flags: [Flag], token: String? = nil, sdkKey: String = "sdk-key") async throws {
        state = Mutex(State(flags: flags))
        self.token = token
        self.sdkKey = sdkKey
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL for a source's settings. The vendor's SDK needs `/api` appended, but not for the stream.
    public var url: String { server.url }

    /// Replaces all flags and sends an update to subscribed SDKs.
    public func set(_ flags: [Flag]) async {
        let (number, previous) = state.withLock { state in
            let previous = state.changeNumber
            let names = Set(flags.map(\.name))
            state.archived = (state.archived + state.flags).filter { !names.contains($0.name) }
            state.flags = flags
            state.changeNumber += 10
            return (state.changeNumber, previous)
        }
        await report([
            ("type", .string("SPLIT_UPDATE")), ("changeNumber", .integer(number)), ("pcn", .integer(previous - 1)),
        ])
    }

    /// Changes one flag and sends an update that contains the flag to subscribed SDKs.
    public func update(_ flag: Flag) async {
        let (number, previous) = state.withLock { state in
            let previous = state.changeNumber
            state.flags.removeAll { $0.name == flag.name }
            state.archived.removeAll { $0.name == flag.name }
            state.flags.append(flag)
            state.changeNumber += 10
            return (state.changeNumber, previous)
        }
        let rule = Self.rule(flag, number).text(indented: false)
        await report([
            ("type", .string("SPLIT_UPDATE")), ("changeNumber", .integer(number)), ("pcn", .integer(previous)),
            ("c", .integer(0)), ("d", .string(Base64Text.text(rule.utf8))),
        ])
    }

    private func report(_ message: [(String, JSONOutput)]) async {
        await server.push(Self.event(message, channel: Self.flagsChannel), to: Self.stream)
    }
}

// The evaluator.
extension LoopbackSplit {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        if let reply = serviceReply(to: request) { return reply }
        if let token, request.headers["Authorization"] != token {
            return .json(#"{"error":"Unauthorized"}"#, status: 401)
        }
        let parts = request.path.split(separator: "/").map(String.init)
        switch (parts.first, parts.count) {
        case ("client", 2): return clientReply(parts[1], request)
        case ("manager", 2): return managerReply(parts[1], request)
        case ("admin", 2) where parts[1] == "ping": return .text("pong")
        case ("admin", 2) where parts[1] == "healthcheck": return .text("ok")
        default: return Self.noSuchPage(request)
        }
    }

    private static func noSuchPage(_ request: LoopbackRequest) -> LoopbackReply {
        request.method == "GET" ? .json(#"{"route":"Sorry this page does not exist!"}"#) : .status(404)
    }

    private func clientReply(_ operation: String, _ request: LoopbackRequest) -> LoopbackReply {
        if operation == "track", request.method == "GET" { return .text("Successfully queued event") }
        guard let call = SplitCall(operation) else { return Self.noSuchPage(request) }
        if let rejection = call.rejection(to: request) { return rejection }
        let flags = state.withLock { $0.flags }
        return tagged(call.respond(request, flags).text(indented: false), request)
    }

    /// A response with a weak ETag. Express, the evaluator's web framework, sends one with every response, and compares
    /// it for GET requests.
    private func tagged(_ text: String, _ request: LoopbackRequest) -> LoopbackReply {
        let etag = "W/\"\(StableHash.text(text))\""
        let isKnown = request.method == "GET" && request.headers["If-None-Match"] == etag
        return isKnown ? .status(304, headers: [("ETag", etag)]) : .json(text, headers: [("ETag", etag)])
    }

    private func managerReply(_ operation: String, _ request: LoopbackRequest) -> LoopbackReply {
        let (flags, number) = state.withLock { ($0.flags, $0.changeNumber) }
        switch operation {
        case "names":
            return .json(JSONOutput.object([("splits", .array(flags.map { .string($0.name) }))]).text(indented: false))
        case "splits":
            return .json(JSONOutput.object([("splits", .array(flags.map { Self.view($0, number) }))]).text())
        case "split":
            let name = request.query("split-name") ?? ""
            guard let flag = flags.first(where: { $0.name == name }) else {
                let sentence = JSONOutput.string("Feature flag \"\(name)\" was not found.")
                return .json(JSONOutput.object([("error", sentence)]).text(indented: false), status: 404)
            }
            return .json(Self.view(flag, number).text())
        default: return Self.noSuchPage(request)
        }
    }

    private static func view(_ flag: Flag, _ changeNumber: Int) -> JSONOutput {
        .object([
            ("name", .string(flag.name)), ("trafficType", .string(flag.trafficType)), ("killed", .bool(false)),
            ("changeNumber", .integer(changeNumber)),
            ("treatments", .array(flag.outcomes.map { .string($0.treatment) })), ("configs", flag.configurations),
            ("defaultTreatment", .string("off")), ("sets", .array(flag.sets.map { .string($0) })),
            ("impressionsDisabled", .bool(false)), ("prerequisites", .array([])),
        ])
    }
}

extension LoopbackReply {
    /// A response with text.
    static func text(_ text: String) -> LoopbackReply {
        .respond(
            SourceResponse(
                status: 200, headers: SourceHeaders([("Content-Type", "text/html; charset=utf-8")]),
                body: Array(text.utf8)))
    }
}
#endif
