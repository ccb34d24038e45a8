/// Overrides as a file holds them that somebody wants to take over: the plain shape that an export has, or the override
/// file's own.
public enum ImportedValues {
    /// The keys and values of a text.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - origin: what messages call it, such as its path.
    /// - Throws: a sentence on what is wrong with the text.
    public static func read(_ bytes: [UInt8], from origin: String) throws(ImportRefusal) -> [String: String] {
        let root = try refusing(origin) { () throws(JSONError) in try JSONDocument(parsing: bytes).root }
        guard root.kind == .object else {
            throw ImportRefusal(
                sentence: "\(origin) must hold a JSON object of keys and values. Nothing was changed.")
        }
        if let refusal = newerFormat(of: root, from: origin) { throw refusal }
        return try refusing(origin) { () throws(JSONError) in try values(in: root) }
    }

    private static func refusing<Result>(
        _ origin: String, _ body: () throws(JSONError) -> Result
    ) throws(ImportRefusal) -> Result {
        do throws(JSONError) {
            return try body()
        } catch {
            throw ImportRefusal(sentence: "\(origin): \(error.asSentence) Nothing was changed.")
        }
    }

    private static func values(in root: JSONValue) throws(JSONError) -> [String: String] {
        let isStore = isOverrideFile(root)
        var values: [String: String] = [:]
        for (key, value) in (isStore ? root["overrides"] ?? root : root).members {
            guard let text = isStore ? value["value"]?.flagText : value.flagText else {
                throw JSONError(at: value, "\(JSONOutput.quoted(key.string, limit: 80)) has no value")
            }
            guard !key.string.isEmpty else { throw JSONError(at: value, "A key needs at least one character") }
            values[key.string] = text.string
        }
        return values
    }

    /// Whether a text is an override file, of whatever version. An export is none, as its values are texts.
    package static func isOverrideFile(_ bytes: [UInt8]) -> Bool {
        // What is no JSON is no override file either, or one that is damaged.
        (try? JSONDocument(parsing: bytes).root).map(isOverrideFile) ?? false
    }

    private static func isOverrideFile(_ root: JSONValue) -> Bool {
        root["format"]?.kind == .number && root["overrides"]?.kind == .object
    }

    /// A number in `format` is a version, as exports write every value as text.
    private static func newerFormat(of root: JSONValue, from origin: String) -> ImportRefusal? {
        guard let format = root["format"], format.kind == .number, format.source != "1" else { return nil }
        guard let version = Int(format.source), version > 1 else { return nil }
        return ImportRefusal(
            sentence: "\(origin) is of format \(version), which a newer version wrote; this one reads format 1. "
                + "Nothing was changed. Export it anew, or put the number in quotes where it is a flag's value.")
    }
}

/// Why a text is not taken over.
public struct ImportRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what was kept, as a sentence.
    public let sentence: String

    /// A refusal.
    public init(sentence: String) { self.sentence = sentence }

    /// The same.
    public var description: String { sentence }
}
