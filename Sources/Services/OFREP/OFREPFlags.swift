public import FlagModel
import FlagRemote

/// Decodes the flags of a response. The protocol has no catalog: the flags form one category, each with the type of its
/// value.
public enum OFREPFlags {
    /// The document of a response.
    ///
    /// - Parameters:
    ///   - bytes: the response.
    ///   - prefix: the prefix of the keys to read.
    ///   - warnings: warnings about the request, which are added to the document.
    ///   - masking: removes credentials from the server's error texts.
    /// - Throws: why the whole response cannot be used; a single unusable flag is left out with a warning.
    public static func document(
        _ bytes: [UInt8], keyPrefix prefix: String = "", warnings: [String] = [],
        masking: (String) -> String = { $0 }
    ) throws(DocumentError) -> RemoteDocument {
        var flags = EvaluatedFlags()
        for warning in warnings { flags.warn(warning) }
        for (index, entry) in try OFREPResponse.parts(of: bytes).flags.elements.enumerated() {
            add(entry, at: index, prefix, masking, to: &flags)
        }
        return RemoteDocument(flags)
    }

    private static func add(
        _ entry: JSONValue, at index: Int, _ prefix: String, _ masking: (String) -> String,
        to flags: inout EvaluatedFlags
    ) {
        guard let key = entry["key"]?.text, !key.isEmpty else {
            return flags.warn("flag \(index + 1) of the response has no string \"key\" and was left out")
        }
        guard key.isMeant(byPrefix: prefix) else { return }
        if let code = entry["errorCode"] {
            let details =
                entry["errorDetails"]?.text.map { ", \(JSONOutput.quoted(masking($0.string), limit: 120))" } ?? ""
            let word = JSONOutput.quoted(masking(code.text?.string ?? code.source), limit: 60).dropFirst().dropLast()
            return flags.warn(
                "the flag \(key.quoted) was left out: the service could not evaluate it (\(word)\(details))")
        }
        // GO Feature Flag sends null for a disabled flag: the app decides its value, as without a value.
        let value = entry["value"].flatMap { $0.kind == .null ? nil : $0 }
        let type = value.map { $0.flagType ?? .string }
        let item = FlagItem(
            key: key, details: details(entry["metadata"]), options: type == .bool ? FlagOption.booleans : [],
            declaredType: type)
        flags.add(item, value: value?.flagText, note: note(entry, value))
    }

    /// Why the flag has its value, such as `variant on, TARGETING_MATCH`.
    private static func note(_ entry: JSONValue, _ value: JSONValue?) -> FlagText? {
        let variant = entry["variant"]?.text.map { "variant \($0.string)" }
        let reason = entry["reason"]?.text?.string
        return FlagText(listing: [variant, reason, value == nil ? "left to the app" : nil])
    }

    /// The metadata, such as `team: ecommerce, owner: product-team`.
    private static func details(_ metadata: JSONValue?) -> FlagText? {
        let words = metadata?.members.map { key, value in value.flagText.map { "\(key.string): \($0.string)" } }
        return FlagText(listing: words ?? [])
    }
}
