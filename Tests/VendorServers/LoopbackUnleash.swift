import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

/// A server that speaks Unleash's two protocols on 127.0.0.1: the front-end API for apps, and the client API for servers,
/// which the vendor's own Python client reads. Both tell of the same toggles, on for everybody or for an audience.
public final class LoopbackUnleash: Sendable {
    /// What a toggle comes to.
    public struct Toggle: Sendable {
        /// Its name.
        public var name: String
        /// Whether it is on.
        public var isEnabled: Bool
        /// The name of its one variant; `nil` for none.
        public var variant: String?
        /// What the variant carries: a type of the protocol (`string`, `json`, `number`, `csv`) and a text.
        public var payload: (type: String, value: String)?
        /// For whom it is on, by a field or a property of the context; `nil` for everybody.
        public var audience: LoopbackAudience?

        /// A toggle.
        public init(
            _ name: String, _ isEnabled: Bool = true, variant: String? = nil,
            payload: (type: String, value: String)? = nil, audience: LoopbackAudience? = nil
        ) {
            self.name = name
            self.isEnabled = isEnabled
            self.variant = variant
            self.payload = payload
            self.audience = audience
        }

        /// Whether it is on for who asks.
        fileprivate func isOn(for request: LoopbackRequest) -> Bool {
            guard isEnabled, let audience else { return isEnabled }
            let context = request.json?["context"]
            let facts = [
                request.query(audience.fact), request.query("properties[\(audience.fact)]"),
                context?[audience.fact]?.flagText?.string,
                context?["properties"]?[audience.fact]?.flagText?.string,
            ]
            return facts.contains(where: audience.includes)
        }
    }

    private struct State {
        var toggles: [Toggle]
        var revision = 1
    }

    private struct Rules {
        let frontendToken: String
        let clientToken: String
    }

    /// What carries it; faults are injected there.
    public let server: LoopbackServer
    private let state: Mutex<State>
    private let rules: Rules

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - toggles: what it serves.
    ///   - frontendToken: the token of apps.
    ///   - clientToken: the token of servers.
    public init(
        _ toggles: [Toggle], frontendToken: String = "*:development.frontend",
        clientToken: String = "*:development.client"
    ) async throws {
        state = Mutex(State(toggles: toggles))
        rules = Rules(frontendToken: frontendToken, clientToken: clientToken)
        server = try await LoopbackServer { _ in .status(503) }
        server.answer { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// Its address, as the setting of a source. The vendor's client wants `/api` behind it.
    public var url: String { server.url }

    /// Changes what it serves.
    public func set(_ toggles: [Toggle]) {
        state.withLock { state in
            state.toggles = toggles
            state.revision += 1
        }
    }
}

// The protocol.
extension LoopbackUnleash {
    /// What it says to a request, whichever server that came to.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        let isFrontend = request.path.hasPrefix("/api/frontend")
        guard isFrontend || request.path.hasPrefix("/api/client/") else { return .status(404) }
        if let rejection = rejection(to: request, isFrontend) { return rejection }
        switch (request.method, request.path) {
        case ("GET", "/api/frontend"):
            return answer({ frontend($0, request) }, tag: { "W/\"\(StableHash.text($0))\"" }, request)
        case ("POST", "/api/frontend"):
            guard request.json?["context"]?.kind == .object else {
                return .json(#"{"message": "no context"}"#, status: 400)
            }
            return .json(state.withLock { frontend($0, request) })
        case ("POST", "/api/frontend/client/metrics"), ("POST", "/api/frontend/client/register"): return .status(200)
        case (_, "/api/frontend/client/features"), (_, "/api/frontend/health"):
            return .json(#"{"name": "NotImplementedError"}"#, status: 405)
        case ("GET", "/api/client/features"):
            let revision = state.withLock { $0.revision }
            return answer(client, tag: { "\"\(StableHash.text($0)):\(revision):v1\"" }, request)
        case ("GET", let path) where path.hasPrefix("/api/client/features/"):
            let name = PercentEncoding.decoded(String(path.dropFirst("/api/client/features/".count)))
            let toggle = state.withLock { $0.toggles.first { $0.name == name } }
            return toggle.map { .json(Self.feature($0).text()) } ?? .status(404)
        case ("POST", "/api/client/register"), ("POST", "/api/client/metrics"): return .status(202)
        default: return .status(404)
        }
    }

    /// Each token opens its own API only.
    private func rejection(to request: LoopbackRequest, _ isFrontend: Bool) -> LoopbackReply? {
        let (wanted, other) =
            isFrontend ? (rules.frontendToken, rules.clientToken) : (rules.clientToken, rules.frontendToken)
        switch request.headers["Authorization"] {
        case wanted: return nil
        case other:
            return .json(
                #"{"message": "invalid token: expected a different token type for this endpoint"}"#, status: 403)
        default:
            return .json(
                #"{"message": "This endpoint requires an API token. Please add an authorization header to your request with a valid token"}"#,
                status: 401)
        }
    }

    private func answer(
        _ text: (State) -> String, tag: (String) -> String, _ request: LoopbackRequest
    ) -> LoopbackReply {
        let text = state.withLock { text($0) }
        let headers = [("ETag", tag(text)), ("Cache-Control", "no-cache")]
        let isKnown = request.headers["If-None-Match"] == tag(text)
        return isKnown ? .status(304, headers: headers) : .json(text, headers: headers)
    }

    /// What apps are told: what is on for them, and no more.
    private func frontend(_ state: State, _ request: LoopbackRequest) -> String {
        let toggles = state.toggles.filter { $0.isOn(for: request) }
        return JSONOutput.object([("toggles", .array(toggles.map(Self.toggle)))]).text(indented: false)
    }

    /// What servers are told: all of it, with rules that they evaluate.
    private func client(_ state: State) -> String {
        JSONOutput.object([
            ("version", .integer(2)), ("features", .array(state.toggles.map(Self.feature))), ("segments", .array([])),
            ("query", .object([("environment", .string("development"))])),
        ]).text(indented: false)
    }

    private static func toggle(_ toggle: Toggle) -> JSONOutput {
        var variant: [(String, JSONOutput)] = [
            ("name", .string(toggle.variant ?? "disabled")), ("enabled", .bool(toggle.variant != nil)),
        ]
        if let payload = toggle.payload { variant.append(("payload", self.payload(payload))) }
        variant += [("feature_enabled", .bool(true)), ("featureEnabled", .bool(true))]
        return .object([
            ("name", .string(toggle.name)), ("enabled", .bool(true)), ("variant", .object(variant)),
            ("impressionData", .bool(false)),
        ])
    }

    private static func feature(_ toggle: Toggle) -> JSONOutput {
        let variants = toggle.variant.map { name -> [JSONOutput] in
            let payload = toggle.payload.map { [("payload", self.payload($0))] } ?? []
            return [
                .object(
                    [
                        ("name", .string(name)), ("weight", .integer(1_000)), ("weightType", .string("variable")),
                        ("stickiness", .string("default")), ("overrides", .array([])),
                    ] + payload)
            ]
        }
        return .object([
            ("name", .string(toggle.name)), ("type", .string("release")), ("project", .string("default")),
            ("enabled", .bool(toggle.isEnabled)), ("stale", .bool(false)), ("impressionData", .bool(false)),
            (
                "strategies",
                .array([
                    .object([
                        ("name", .string("default")), ("parameters", .object([])),
                        ("constraints", .array((toggle.audience.map { [constraint($0)] }) ?? [])),
                    ])
                ])
            ),
            ("variants", .array(variants ?? [])),
        ])
    }

    private static func constraint(_ audience: LoopbackAudience) -> JSONOutput {
        .object([
            ("contextName", .string(audience.fact)), ("operator", .string("IN")), ("values", audience.list),
            ("inverted", .bool(false)), ("caseInsensitive", .bool(false)),
        ])
    }

    private static func payload(_ payload: (type: String, value: String)) -> JSONOutput {
        .object([("type", .string(payload.type)), ("value", .string(payload.value))])
    }
}
