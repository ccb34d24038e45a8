#if Network
import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

/// A server with Unleash's two protocols on 127.0.0.1: the front-end API for apps, and the client API for servers,
/// which Unleash's Python SDK uses. Both protocols serve the same toggles. An enabled toggle is on for all users or for
/// an audience.
public final class LoopbackUnleash: Sendable {
    /// A toggle and its result.
    public struct Toggle: Sendable {
        /// The toggle name.
        public var name: String
        /// Whether the toggle is enabled.
        public var isEnabled: Bool
        /// The name of the toggle's only variant; `nil` for none.
        public var variant: String?
        /// The payload of the variant: a type of the protocol (`string`, `json`, `number`, `csv`) and a text.
        public var payload: (type: String, value: String)?
        /// The audience for which the toggle is on; `nil` for all users. A field or a property of the context defines
        /// the audience.
        public var audience: LoopbackAudience?

        /// Creates a toggle.
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

        /// Whether the toggle is on for the context of a request.
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

    private struct RequiredCredentials {
        let frontendToken: String
        let clientToken: String
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    private let state: Mutex<State>
    private let requiredCredentials: RequiredCredentials

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - toggles: the served toggles.
    ///   - frontendToken: the token of apps.
    ///   - clientToken: the token of servers.
    public init(
        _ toggles: [Toggle], frontendToken: String = "*:development.frontend",
        clientToken: String = "*:development.client"
    ) async throws {
        state = Mutex(State(toggles: toggles))
        requiredCredentials = RequiredCredentials(frontendToken: frontendToken, clientToken: clientToken)
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL for a source's settings. The vendor's SDK needs `/api` appended.
    public var url: String { server.url }

    /// Replaces all toggles.
    public func set(_ toggles: [Toggle]) {
        state.withLock { state in
            state.toggles = toggles
            state.revision += 1
        }
    }
}

// The responses to requests, as the service sends them.
extension LoopbackUnleash {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        let isFrontend = request.path.hasPrefix("/api/frontend")
        guard isFrontend || request.path.hasPrefix("/api/client/") else { return .status(404) }
        if let rejection = rejection(to: request, isFrontend) { return rejection }
        switch (request.method, request.path) {
        case ("GET", "/api/frontend"):
            return respond({ frontend($0, request) }, tag: { "W/\"\(StableHash.text($0))\"" }, request)
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
            return respond(client, tag: { "\"\(StableHash.text($0)):\(revision):v1\"" }, request)
        case ("GET", let path) where path.hasPrefix("/api/client/features/"):
            let name = PercentEncoding.decoded(String(path.dropFirst("/api/client/features/".count)))
            let toggle = state.withLock { $0.toggles.first { $0.name == name } }
            return toggle.map { .json(Self.feature($0).text()) } ?? .status(404)
        case ("POST", "/api/client/register"), ("POST", "/api/client/metrics"): return .status(202)
        default: return .status(404)
        }
    }

    /// The error response to a request without the token of its API; `nil` if the token is right.
    private func rejection(to request: LoopbackRequest, _ isFrontend: Bool) -> LoopbackReply? {
        let (expectedToken, otherToken) =
            isFrontend
            ? (requiredCredentials.frontendToken, requiredCredentials.clientToken)
            : (requiredCredentials.clientToken, requiredCredentials.frontendToken)
        switch request.headers["Authorization"] {
        case expectedToken: return nil
        case otherToken:
            return .json(
                #"{"message": "invalid token: expected a different token type for this endpoint"}"#, status: 403)
        default:
            return .json(
                #"{"message": "This endpoint requires an API token. Please add an authorization header to your request with a valid token"}"#,
                status: 401)
        }
    }

    private func respond(
        _ text: (State) -> String, tag: (String) -> String, _ request: LoopbackRequest
    ) -> LoopbackReply {
        let text = state.withLock { text($0) }
        let headers = [("ETag", tag(text)), ("Cache-Control", "no-cache")]
        let isKnown = request.headers["If-None-Match"] == tag(text)
        return isKnown ? .status(304, headers: headers) : .json(text, headers: headers)
    }

    /// The response to apps: only toggles that are on for the context.
    private func frontend(_ state: State, _ request: LoopbackRequest) -> String {
        let toggles = state.toggles.filter { $0.isOn(for: request) }
        return JSONOutput.object([("toggles", .array(toggles.map(Self.toggle)))]).text(indented: false)
    }

    /// The response to servers: all toggles with rules that the servers evaluate.
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
#endif
