import FlagModel

/// A response for all features. Both endpoints respond with features in one format: in a remote evaluation, the default
/// value of each feature is its value (`packages/lib/eval/src/index.ts` of growthbook-proxy).
enum GrowthBookResponse {
    /// The object of features in a response.
    static func features(of body: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: body).root
        guard root["encryptedFeatures"]?.text == nil else {
            throw .unknownShape(
                "the features are encrypted, which is not supported; turn off encryption for the SDK connection in "
                    + "GrowthBook, or use the client key of another one")
        }
        guard root.kind == .object, let features = root["features"], features.kind == .object else {
            throw .unknownShape("the response has no object \"features\"; is this the URL of a GrowthBook API host?")
        }
        return features
    }

    /// The features of a remote evaluation without the experiments to track, which contain attributes of the user.
    static func withoutTracking(_ body: [UInt8]) throws(DocumentError) -> [UInt8] {
        let features = try Self.features(of: body).members.map { key, feature -> (String, JSONOutput) in
            (key.string, feature.kind == .object ? withoutTracking(feature) : .raw(feature.compactJSON))
        }
        return Array(JSONOutput.object([("features", .object(features))]).text(indented: false).utf8)
    }

    private static func withoutTracking(_ feature: JSONValue) -> JSONOutput {
        .object(
            feature.members.map { name, value -> (String, JSONOutput) in
                guard name == "rules", value.kind == .array else { return (name.string, .raw(value.compactJSON)) }
                return (name.string, .array(value.elements.map { withoutTracks($0) }))
            })
    }

    private static func withoutTracks(_ rule: JSONValue) -> JSONOutput {
        guard rule.kind == .object else { return .raw(rule.compactJSON) }
        let members = rule.members.filter { $0.key != "tracks" }
        return .object(members.map { ($0.key.string, .raw($0.value.compactJSON)) })
    }
}
