#if Network
import FlagModel
import FlagRemote
public import FlagTesting
import Synchronization

/// A GrowthBook server on 127.0.0.1 with two SDK connections: one for SDKs that evaluate features, and one with remote
/// evaluation. Both serve the same features. A feature has one value for all users. It may have another value for an
/// audience.
public final class LoopbackGrowthBook: Sendable {
    /// A feature and its values, as JSON.
    public struct Feature: Sendable {
        /// The key.
        public var key: String
        /// The value for all users outside of the audience.
        public var value: String
        /// The value for an audience, which an attribute of the user defines.
        public var targeted: (audience: LoopbackAudience, value: String)?
        /// The variations of an experiment, in equal parts, for all users outside of the audience. Only SDKs evaluate
        /// the experiment. This server has no hash function, and responds with `value`.
        public var variations: [String]

        /// Creates a feature.
        public init(
            _ key: String, _ value: String, targeted: (audience: LoopbackAudience, value: String)? = nil,
            variations: [String] = []
        ) {
            self.key = key
            self.value = value
            self.targeted = targeted
            self.variations = variations
        }
    }

    /// The underlying server, for injecting faults.
    public let server: LoopbackServer
    /// The client key of the SDK connection for SDKs that evaluate.
    public let clientKey: String
    /// The client key of the SDK connection with remote evaluation.
    public let remoteKey: String
    private let features: Mutex<[Feature]>

    /// Starts the server.
    public init(
        _ features: [Feature], clientKey: String = "sdk-local", remoteKey: String = "sdk-remote"
    ) async throws {
        self.features = Mutex(features)
        (self.clientKey, self.remoteKey) = (clientKey, remoteKey)
        server = try await LoopbackServer { _ in .status(503) }
        server.respond { [weak self] request in self?.reply(to: request) ?? .status(503) }
    }

    /// The API host, for a source's settings and for the vendor's SDK.
    public var url: String { server.url }

    /// Replaces all features.
    public func set(_ features: [Feature]) { self.features.withLock { $0 = features } }
}

// The responses of `getFeaturesPublic` and `getEvaluatedFeaturesPublic`, and of evaluateFeatures in growthbook-proxy.
extension LoopbackGrowthBook {
    /// The response to a request that this or another loopback server has received.
    public func reply(to request: LoopbackRequest) -> LoopbackReply {
        let parts = request.path.split(separator: "/").map { PercentEncoding.decoded(String($0)) }
        guard parts.count == 3, parts[0] == "api" else { return .status(404) }
        let key = parts[2]
        switch (request.method, parts[1]) {
        case ("GET", "features"):
            guard [clientKey, remoteKey].contains(key) else { return Self.rejection("Invalid API Key") }
            guard key == clientKey else {
                return Self.rejection("Remote evaluation required for this connection")
            }
            return rules(request)
        case ("POST", "eval"):
            guard key == remoteKey else { return Self.rejection("Failed to get evaluated features") }
            let attributes = request.json?["attributes"]
            return .json(evaluated(attributes), headers: [("Cache-Control", "no-store")])
        default: return .status(404)
        }
    }

    private static func rejection(_ sentence: String) -> LoopbackReply {
        .json(
            JSONOutput.object([("status", .integer(400)), ("error", .string(sentence))]).text(indented: false),
            status: 400, headers: [("x-unrecoverable", "1")])
    }

    /// The rules of all features, with a weak ETag. Express, the web framework of GrowthBook's server, sends an ETag
    /// with every response, and compares it for GET requests.
    private func rules(_ request: LoopbackRequest) -> LoopbackReply {
        let features = self.features.withLock { $0 }.map { ($0.key, Self.definition($0)) }
        let text = JSONOutput.object([
            ("status", .integer(200)), ("features", .object(features)), ("experiments", .array([])),
            ("dateUpdated", .string("2026-11-21T10:00:00.000Z")),
        ]).text(indented: false)
        let etag = "W/\"\(StableHash.text(text))\""
        let headers = [
            ("ETag", etag),
            ("Cache-Control", "public, max-age=30, stale-while-revalidate=3600, stale-if-error=36000"),
        ]
        return request.headers["If-None-Match"] == etag
            ? .status(304, headers: headers) : .json(text, headers: headers)
    }

    private static func definition(_ feature: Feature) -> JSONOutput {
        var rules: [JSONOutput] = []
        if let targeted = feature.targeted {
            let condition = JSONOutput.object([(targeted.audience.fact, .object([("$in", targeted.audience.list)]))])
            rules.append(
                .object([("id", .string("fr_1")), ("condition", condition), ("force", .raw(targeted.value))]))
        }
        if !feature.variations.isEmpty {
            let names = feature.variations.indices.map {
                JSONOutput.object([("key", .string("\($0)")), ("name", .string("Variation \($0)"))])
            }
            rules.append(
                .object([
                    ("key", .string("\(feature.key)-test")), ("hashAttribute", .string("id")),
                    ("hashVersion", .integer(2)), ("seed", .string("\(feature.key)-seed")), ("coverage", .integer(1)),
                    ("variations", .array(feature.variations.map { .raw($0) })), ("meta", .array(names)),
                    ("phase", .string("0")), ("name", .string("Test of \(feature.key)")),
                ]))
        }
        let members = rules.isEmpty ? [] : [("rules", JSONOutput.array(rules))]
        return .object([("defaultValue", .raw(feature.value))] + members)
    }

    /// The evaluated features. The default value of each feature is its evaluated value. A value for an audience comes
    /// with an experiment to track, as if the rule were an experiment. Therefore the response contains attributes.
    private func evaluated(_ attributes: JSONValue?) -> String {
        let features = self.features.withLock { $0 }.map { feature -> (String, JSONOutput) in
            guard let targeted = feature.targeted, targeted.audience.includes(attributes) else {
                return (feature.key, .object([("defaultValue", .raw(feature.value))]))
            }
            let experiment = JSONOutput.object([
                ("key", .string("\(feature.key)-test")),
                ("variations", .array([.object([]), .raw(targeted.value)])),
            ])
            let result = JSONOutput.object([
                ("key", .string("1")), ("featureId", .string(feature.key)), ("inExperiment", .bool(true)),
                ("hashUsed", .bool(true)), ("variationId", .integer(1)), ("value", .raw(targeted.value)),
                ("hashAttribute", .string("id")), ("hashValue", .string(attributes?["id"]?.flagText?.string ?? "")),
            ])
            let tracks = JSONOutput.array([.object([("experiment", experiment), ("result", result)])])
            let rule = JSONOutput.object([("force", .raw(targeted.value)), ("tracks", tracks)])
            return (feature.key, .object([("defaultValue", .raw(targeted.value)), ("rules", .array([rule]))]))
        }
        return JSONOutput.object([
            ("features", .object(features)), ("experiments", .array([])),
            ("dateUpdated", .string("2026-11-21T10:00:00.000Z")),
        ]).text(indented: false)
    }
}
#endif
