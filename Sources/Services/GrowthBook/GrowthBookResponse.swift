import FlagModel

/// A response for all features. Both endpoints respond with features in the same format. In the response of a remote
/// evaluation, the default value of each feature is its evaluated value (`packages/lib/eval/src/index.ts` of
/// growthbook-proxy).
enum GrowthBookResponse {
    /// The object of features in a response.
    static func features(of body: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: body).root
        guard root["encryptedFeatures"]?.text == nil else {
            throw .unknownShape(
                "the features are encrypted, which is not supported; turn off encryption for the SDK connection in "
                    + "GrowthBook, or use the client key of another SDK connection")
        }
        guard root.kind == .object, let features = root["features"], features.kind == .object else {
            throw .unknownShape("the response has no object \"features\"; is this the URL of a GrowthBook API host?")
        }
        return features
    }

    /// The part of a remote evaluation to cache: the values. The rest of a response has experiments to track. They
    /// contain attributes of the user, which must not be cached.
    static func values(ofEvaluated body: [UInt8]) throws(DocumentError) -> [UInt8] {
        let features = try Self.features(of: body).members.map { key, feature -> (String, JSONOutput) in
            guard feature.kind == .object else { return (key.string, .raw(feature.compactJSON)) }
            let value = feature["defaultValue"].map { [("defaultValue", JSONOutput.raw($0.compactJSON))] }
            return (key.string, .object(value ?? []))
        }
        return Array(JSONOutput.object([("features", .object(features))]).text(indented: false).utf8)
    }
}
