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
        let name: String
        let isEnabled: Bool
        let variant: String?
        let payload: (type: String, value: String)?
        let audience: LoopbackAudience?

        /// Creates a toggle.
        ///
        /// - Parameters:
        ///   - variant: the name of the toggle's only variant; `nil` for none.
        ///   - payload: the payload of the variant: a type of the protocol (`string`, `json`, `number`, `csv`) and a
        ///     text.
        ///   - audience: the audience for which the toggle is on; `nil` for all users. A field or a property of the
        ///     context defines the audience.
        public init(
            _ name: String, _ isEnabled: Bool = true, variant: String? = nil,
            payload: (type: String, value: String)? = nil, audience: LoopbackAudience? = nil
        ) {
            (self.name, self.isEnabled, self.variant) = (name, isEnabled, variant)
            (self.payload, self.audience) = (payload, audience)
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

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    private let toggles: Mutex<[Toggle]>
    private let frontendToken: String
    private let clientToken = "*:development.client"

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - toggles: the served toggles.
    ///   - frontendToken: the token of apps; that of servers is `*:development.client`.
    public init(_ toggles: [Toggle], frontendToken: String = "*:development.frontend") async throws {
        self.toggles = Mutex(toggles)
        self.frontendToken = frontendToken
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The base URL for a source's settings. The vendor's SDK needs `/api` appended.
    public var url: String { server.url }

    /// Replaces all toggles.
    public func set(_ toggles: [Toggle]) { self.toggles.withLock { $0 = toggles } }
}

// The responses to requests, as the service sends them.
extension LoopbackUnleash {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        let isFrontend = request.path == "/api/frontend"
        guard isFrontend || request.path.hasPrefix("/api/client/") else { return .status(404) }
        guard request.headers["Authorization"] == (isFrontend ? frontendToken : clientToken) else {
            let sentence = "This endpoint requires an API token. Please add an authorization header to your request"
            return .document(["message": .string(sentence)], status: 401)
        }
        let toggles = self.toggles.withLock { $0 }
        switch (request.method, request.path) {
        case ("GET", "/api/frontend"), ("POST", "/api/frontend"):
            let active = toggles.filter { $0.isOn(for: request) }
            return .tagged(["toggles": .array(active.map(Self.toggle))], for: request)
        case ("GET", "/api/client/features"):
            let document: JSONOutput = [
                "version": 2, "features": .array(toggles.map(Self.feature)), "segments": [],
                "query": ["environment": "development"],
            ]
            return .tagged(document, for: request, isWeak: false)
        case ("POST", "/api/client/register"), ("POST", "/api/client/metrics"): return .status(202)
        default: return .status(404)
        }
    }

    /// A toggle that is on, as apps get it.
    private static func toggle(_ toggle: Toggle) -> JSONOutput {
        [
            "name": .string(toggle.name), "enabled": true,
            "variant": [
                "name": .string(toggle.variant ?? "disabled"), "enabled": .bool(toggle.variant != nil),
                "feature_enabled": true, "featureEnabled": true, "payload": payload(toggle),
            ],
            "impressionData": false,
        ]
    }

    /// A toggle with the rules that servers evaluate.
    private static func feature(_ toggle: Toggle) -> JSONOutput {
        let variant = toggle.variant.map { name -> JSONOutput in
            [
                "name": .string(name), "weight": 1_000, "weightType": "variable", "stickiness": "default",
                "overrides": [], "payload": payload(toggle),
            ]
        }
        let constraint = toggle.audience.map { audience -> JSONOutput in
            [
                "contextName": .string(audience.fact), "operator": "IN", "values": audience.list,
                "inverted": false, "caseInsensitive": false,
            ]
        }
        return [
            "name": .string(toggle.name), "type": "release", "project": "default", "enabled": .bool(toggle.isEnabled),
            "stale": false, "impressionData": false,
            "strategies": [["name": "default", "parameters": [:], "constraints": [constraint]]], "variants": [variant],
        ]
    }

    private static func payload(_ toggle: Toggle) -> JSONOutput? {
        toggle.payload.map { ["type": .string($0.type), "value": .string($0.value)] }
    }
}
#endif
