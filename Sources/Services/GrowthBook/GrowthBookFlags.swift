public import FlagModel
import FlagRemote

/// Decodes the features of a response, and evaluates their rules.
///
/// The value of a flag is the value of the first rule that applies, or the default value. A feature with a rule that
/// this source cannot evaluate is listed without a value, and with a warning.
public enum GrowthBookFlags {
    /// The document of a response.
    ///
    /// - Parameters:
    ///   - bytes: the response.
    ///   - attributes: the attributes to evaluate for.
    ///   - evaluation: where the features are evaluated.
    ///   - prefix: the prefix of the keys to read.
    /// - Throws: why the whole response cannot be used; a single unusable feature is left out with a warning.
    public static func document(
        _ bytes: [UInt8], attributes: ContextAttributes = ContextAttributes(),
        evaluation: GrowthBookSettings.Evaluation = .local, keyPrefix prefix: String = ""
    ) throws(DocumentError) -> RemoteDocument {
        let attributes = attributes.object
        var flags = EvaluatedFlags()
        for (key, feature) in try features(of: bytes).members where key.isMeant(byPrefix: prefix) {
            let quoted = key.quoted
            guard feature.kind == .object else {
                flags.warn("the feature \(quoted) was left out: it is not an object")
                continue
            }
            do {
                let (value, note) = try result(feature, key.string, attributes)
                let words = evaluation == .remote ? "evaluated by the server" : note
                flags.add(
                    item(key, feature, value), value: value?.flagText,
                    note: FlagText(value == nil ? "\(words), left to the app" : words))
            } catch {
                let reason = (error as? UnknownRule)?.reason ?? "\(error)"
                flags.warn("the feature \(quoted) was not evaluated: \(reason)")
                flags.add(
                    item(key, feature, nil), value: nil, note: FlagText("not evaluated: \(reason)"))
            }
        }
        return RemoteDocument(flags)
    }

    /// The object of features in a response. Both endpoints respond with features in the same format. In the response of a
    /// remote evaluation, the default value of each feature is its evaluated value (`packages/lib/eval/src/index.ts` of
    /// growthbook-proxy).
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
        let features = try features(of: body).members.map { key, feature in
            (key.string, feature.kind == .object ? feature.members { $0 == "defaultValue" } : .raw(feature.compactJSON))
        }
        return JSONOutput.object([("features", .object(features))]).bytes
    }

    /// The value of a feature, and the origin of the value. A value of `null` is `nil`.
    private static func result(
        _ feature: JSONValue, _ key: String, _ attributes: JSONValue?
    ) throws -> (JSONValue?, note: String) {
        let rules = feature["rules"]
        guard rules == nil || rules?.kind == .array || rules?.kind == .null else {
            throw UnknownRule(reason: "its rules are not a list")
        }
        let listedRules = rules.map { Array($0.elements) } ?? []
        for (index, rule) in listedRules.enumerated() {
            let name = "rule \(index + 1)"
            do {
                let rule = FeatureRule(rule: rule, featureKey: key, attributes: attributes)
                guard let outcome = try rule.outcome() else { continue }
                let note = outcome.experiment.map { "\(name), \($0)" } ?? name
                return (outcome.value.kind == .null ? nil : outcome.value, note)
            } catch let error as UnknownRule {
                throw UnknownRule(reason: "\(name) \(error.reason)")
            }
        }
        return (feature["defaultValue"].flatMap { $0.kind == .null ? nil : $0 }, "default value")
    }

    /// The item of a feature. The values in the feature's rules are its options; they are examples, because rules can
    /// change.
    private static func item(_ key: FlagText, _ feature: JSONValue, _ value: JSONValue?) -> FlagItem {
        let values = Self.values(of: feature).filter { $0.value.kind != .null }
        let types = Set(values.map { $0.value.flagType ?? .string })
        let type =
            types.count == 1
            ? types.first : types == [.int, .double] ? .double : value.map { $0.flagType ?? .string }
        guard type != .bool else { return FlagItem(key: key, options: FlagOption.booleans, declaredType: .bool) }
        var options: [FlagOption] = []
        for (value, label) in values {
            let text = value.flagText?.string ?? ""
            if !options.contains(where: { $0.value == text }) { options.append(FlagOption(value: text, label: label)) }
        }
        return FlagItem(key: key, options: options.count >= 2 ? options : [], declaredType: type)
    }

    /// All values that a feature can have, each with its origin.
    private static func values(of feature: JSONValue) -> [(value: JSONValue, label: String)] {
        var values: [(value: JSONValue, label: String)] = []
        if let standard = feature["defaultValue"] { values.append((standard, "default")) }
        let rules = feature["rules"].map { Array($0.elements) } ?? []
        for (index, rule) in rules.enumerated() {
            let name = "rule \(index + 1)"
            if let force = rule["force"] {
                values.append((force, name))
                continue
            }
            let meta = rule["meta"].map { Array($0.elements) } ?? []
            let variations = rule["variations"].map { Array($0.elements) } ?? []
            for (number, value) in variations.enumerated() {
                let variation = meta.indices.contains(number) ? meta[number]["name"]?.text : nil
                values.append((value, variation.map { "\(name), \($0.string)" } ?? name))
            }
        }
        return values
    }
}
