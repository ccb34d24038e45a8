public import FlagModel

/// Decodes the flags of a response: `{"flags": [{"name": "banner", "enabled": true, "value": "blue"}]}`.
///
/// A flag with a value has this value while it is enabled, else none, so that the app's default is in use. A flag
/// without a value is a Boolean: whether it is enabled.
public enum LanternFlags {
    /// The category of all flags, as Lantern has no categories.
    public static let category: FlagText = "Flags"

    /// The document of a response.
    ///
    /// - Parameter prefix: the prefix of the names to read.
    /// - Throws: why the whole response cannot be used; a single unusable flag is left out with a warning.
    public static func document(_ bytes: [UInt8], keyPrefix prefix: String = "") throws(DocumentError) -> RemoteDocument
    {
        guard let list = try JSONDocument(document: bytes).root["flags"], list.kind == .array else {
            throw .unknownShape("the response has no list of flags; is this the URL of a Lantern server?")
        }
        var flags = EvaluatedFlags()
        for (index, entry) in list.elements.enumerated() {
            guard let name = entry["name"]?.text, !name.isEmpty, let isEnabled = entry["enabled"]?.bool else {
                flags.warn(
                    "flag \(index + 1) of the response was left out: it has no \"name\", or its \"enabled\" is not "
                        + "true or false")
                continue
            }
            guard name.isMeant(byPrefix: prefix) else { continue }
            if let value = entry["value"], let text = value.flagText {
                flags.add(
                    FlagItem(key: name, declaredType: value.flagType), value: isEnabled ? text : nil,
                    note: isEnabled ? nil : "not enabled", category: category)
            } else {
                flags.add(
                    FlagItem(key: name, options: FlagOption.booleans, declaredType: .bool),
                    value: isEnabled ? "true" : "false", category: category)
            }
        }
        return RemoteDocument(flags)
    }
}
