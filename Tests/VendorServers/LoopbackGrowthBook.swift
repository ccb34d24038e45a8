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
        let key: String
        let value: String
        let targeted: (audience: LoopbackAudience, value: String)?
        let variations: [String]

        /// Creates a feature.
        ///
        /// - Parameters:
        ///   - value: the value for all users outside of the audience.
        ///   - targeted: the value for an audience, which an attribute of the user defines.
        ///   - variations: the variations of an experiment, in equal parts, for all users outside of the audience. Only
        ///     SDKs evaluate the experiment. This server has no hash function, and responds with `value`.
        public init(
            _ key: String, _ value: String, targeted: (audience: LoopbackAudience, value: String)? = nil,
            variations: [String] = []
        ) {
            (self.key, self.value, self.targeted, self.variations) = (key, value, targeted, variations)
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
            guard key == clientKey else { return Self.rejection("Invalid API Key") }
            let definitions = self.features.withLock { $0 }.map { ($0.key, Self.definition($0)) }
            return .tagged(
                [
                    "status": 200, "features": .object(definitions), "experiments": [],
                    "dateUpdated": "2026-11-21T10:00:00.000Z",
                ], for: request)
        case ("POST", "eval"):
            guard key == remoteKey else { return Self.rejection("Failed to get evaluated features") }
            let attributes = request.json?["attributes"]
            let features = self.features.withLock { $0 }.map { ($0.key, Self.evaluated($0, attributes)) }
            return .document(["features": .object(features), "experiments": []])
        default: return .status(404)
        }
    }

    private static func rejection(_ sentence: String) -> LoopbackReply {
        .document(["status": 400, "error": .string(sentence)], status: 400)
    }

    private static func definition(_ feature: Feature) -> JSONOutput {
        let targeted = feature.targeted.map { targeted -> JSONOutput in
            [
                "id": "fr_1", "condition": [targeted.audience.fact: ["$in": targeted.audience.list]],
                "force": .raw(targeted.value),
            ]
        }
        let names = feature.variations.indices.map { ["key": "\($0)", "name": "Variation \($0)"] as JSONOutput }
        let experiment: JSONOutput = [
            "key": "\(feature.key)-test", "hashAttribute": "id", "hashVersion": 2, "seed": "\(feature.key)-seed",
            "coverage": 1, "variations": .array(feature.variations.map { .raw($0) }), "meta": .array(names),
            "phase": "0", "name": "Test of \(feature.key)",
        ]
        return [
            "defaultValue": .raw(feature.value), "rules": [targeted, feature.variations.isEmpty ? nil : experiment],
        ]
    }

    /// An evaluated feature, whose default value is its evaluated value. A value for an audience comes with an
    /// experiment to track, as if the rule were an experiment. Therefore the response contains attributes.
    private static func evaluated(_ feature: Feature, _ attributes: JSONValue?) -> JSONOutput {
        guard let targeted = feature.targeted, targeted.audience.includes(attributes) else {
            return ["defaultValue": .raw(feature.value)]
        }
        let value = JSONOutput.raw(targeted.value)
        let track: JSONOutput = [
            "experiment": ["key": "\(feature.key)-test", "variations": [[:], value]],
            "result": [
                "key": "1", "featureId": .string(feature.key), "inExperiment": true, "hashUsed": true,
                "variationId": 1, "value": value, "hashAttribute": "id",
                "hashValue": .text(attributes?["id"]?.text?.string),
            ],
        ]
        return ["defaultValue": value, "rules": [["force": value, "tracks": [track]]]]
    }
}
#endif
