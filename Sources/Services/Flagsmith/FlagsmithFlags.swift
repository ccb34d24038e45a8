public import FlagModel
import FlagRemote

/// Decodes the flags of a response.
///
/// A flag `demo` is `true` if the feature `demo` is enabled. A flag `demo.value` is the feature's value, if the feature
/// has one. A feature that is not enabled has this flag too, because Flagsmith's clients return the value in any case.
public enum FlagsmithFlags {
    /// The document of a response.
    ///
    /// - Parameter prefix: the prefix of the names to read.
    /// - Throws: why the whole response cannot be used; a single unusable flag is left out with a warning.
    public static func document(_ bytes: [UInt8], keyPrefix prefix: String = "") throws(DocumentError) -> RemoteDocument
    {
        let list = try list(of: bytes)
        let names = Set(list.elements.compactMap { $0["feature"]?["name"]?.text })
        var flags = EvaluatedFlags()
        for (index, entry) in list.elements.enumerated() {
            guard let name = entry["feature"]?["name"]?.text, !name.isEmpty else {
                flags.warn("flag \(index + 1) of the response has no feature with a name and was left out")
                continue
            }
            guard name.isMeant(byPrefix: prefix) else { continue }
            if name.string == RemoteDocument.catalogKey {
                // The value of this feature is the catalog; whether the feature is enabled does not matter.
                flags.add(FlagItem(key: name), value: entry["feature_state_value"]?.flagText)
            } else {
                add(entry, name, besides: names, to: &flags)
            }
        }
        return RemoteDocument(flags)
    }

    private static func add(
        _ entry: JSONValue, _ name: FlagText, besides names: Set<FlagText>, to flags: inout EvaluatedFlags
    ) {
        guard let isEnabled = entry["enabled"]?.bool else {
            return flags.warn("the flag \(name.quoted) was left out: its \"enabled\" is not true or false")
        }
        // The hosted service sends no description.
        let details = entry["feature"]?["description"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        let reasons = reasons(entry)
        flags.add(
            FlagItem(key: name, details: details, options: FlagOption.booleans, declaredType: .bool),
            value: isEnabled ? "true" : "false", note: FlagText(listing: reasons))
        guard let value = entry["feature_state_value"], let text = value.flagText else { return }
        // Flagsmith has texts, whole numbers and Booleans. It sends JSON as a text.
        let valueType =
            value.flagType ?? (FlagType.inferred(from: [], value: text.string) == .json ? .json : .string)
        let item = FlagItem(
            key: FlagText("\(name.string).value"), details: details,
            options: valueType == .bool ? FlagOption.booleans : [], declaredType: valueType)
        flags.add(
            part: item, value: text, note: FlagText(listing: reasons + [isEnabled ? nil : "not enabled"]),
            called: "value", besides: names)
    }

    /// Why the flag has its state: the override, the variant (`SDKIdentityFeatureStateSerializer` in
    /// `api/features/serializers.py` of Flagsmith/flagsmith) and the reason (`Flag.from_api_flag` in
    /// `flagsmith/models.py` of Flagsmith/flagsmith-python-client). A response may contain none of them.
    private static func reasons(_ entry: JSONValue) -> [String] {
        func isSet(_ member: String) -> Bool { entry[member].map { $0.kind != .null } ?? false }
        let layer = isSet("identity") ? "identity override" : isSet("feature_segment") ? "segment override" : nil
        let variant = entry["variant"]?.text.map { "variant \($0.string)" }
        return [layer, variant, entry["reason"]?.text?.string].compactMap { $0 }.filter { !$0.isEmpty }
    }

    /// The list of flags: the whole response for an environment, or the member `flags` of the response for an identity.
    private static func list(of body: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: body).root
        let list = root.kind == .object ? root["flags"] : root
        // A list that has elements but no feature is the response of another service.
        guard let list, list.kind == .array,
            list.count == 0 || list.elements.contains(where: { $0["feature"]?.kind == .object })
        else {
            throw .unknownShape(
                "the response has no list of features; is this the URL of the API of a Flagsmith server?")
        }
        return list
    }

    /// The part of a response to cache: the list of flags. A response for an identity also repeats the identifier and
    /// the traits, which may be personal data.
    static func cached(_ body: [UInt8]) throws(DocumentError) -> [UInt8] { Array(try list(of: body).compactJSON.utf8) }
}
