public import FlagModel
import FlagRemote

/// Decodes the flags of a response: an object of keys and their evaluations.
public enum LaunchDarklyFlags {
    /// The document of a response.
    ///
    /// - Parameters:
    ///   - prefix: the prefix of the keys to read.
    ///   - warnings: warnings about the settings, which the document repeats.
    /// - Throws: why the whole response cannot be used; a single unusable flag is left out with a warning.
    public static func document(
        _ bytes: [UInt8], keyPrefix prefix: String = "", warnings: [String] = []
    ) throws(DocumentError) -> RemoteDocument {
        var flags = EvaluatedFlags()
        for warning in warnings { flags.warn(warning) }
        for (key, entry) in try evaluations(in: bytes).members where key.isMeant(byPrefix: prefix) {
            guard entry.kind == .object else {
                flags.warn("the flag \(key.quoted) was left out: it is not an object with a value")
                continue
            }
            // Without a value the flag exists, but the app decides its value.
            let value = entry["value"].flatMap { $0.kind == .null ? nil : $0 }
            let type = value.map { $0.flagType ?? .string }
            let item = FlagItem(
                key: key, details: details(entry), options: type == .bool ? FlagOption.booleans : [], declaredType: type
            )
            flags.add(item, value: value?.flagText, note: note(entry, value))
        }
        return RemoteDocument(flags)
    }

    /// The root object of a response.
    static func evaluations(in body: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: body).root
        guard root.kind == .object, root.count == 0 || root.members.contains(where: { $0.value.kind == .object }) else {
            throw .unknownShape("the response is not an object of flags; is this the URL of LaunchDarkly or its relay?")
        }
        return root
    }

    /// The version of the flag and its prerequisites, such as `flag version 3, prerequisites: a, b`.
    private static func details(_ entry: JSONValue) -> FlagText? {
        let version = entry["flagVersion"].flatMap { Int($0.source) }.map { "flag version \($0)" }
        let keys = entry["prerequisites"]?.elements.compactMap { $0.text?.string } ?? []
        let prerequisites = keys.isEmpty ? nil : "prerequisites: \(keys.joined(separator: ", "))"
        return FlagText(listing: [version, prerequisites])
    }

    /// Why the flag has its value, such as `variation 1, RULE_MATCH rule 2`.
    private static func note(_ entry: JSONValue, _ value: JSONValue?) -> FlagText? {
        let variation = entry["variation"].flatMap { Int($0.source) }.map { "variation \($0)" }
        return FlagText(
            listing: [variation, entry["reason"].flatMap(reason), value == nil ? "left to the app" : nil])
    }

    private static func reason(_ reason: JSONValue) -> String? {
        guard let kind = reason["kind"]?.text?.string, !kind.isEmpty else { return nil }
        let rule = reason["ruleIndex"].flatMap { Int($0.source) }.map { "rule \($0)" }
        let details = [
            rule, reason["prerequisiteKey"]?.text?.string, reason["errorKind"]?.text?.string,
            reason["inExperiment"]?.bool == true ? "in an experiment" : nil,
        ]
        return ([kind] + details.compactMap { $0 }).joined(separator: " ")
    }
}
