/// Overrides in a file that is imported: an export, an object of keys and values, or an override file.
public enum ImportedValues {
    /// The keys and values of a text.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - origin: its name in messages, such as its path.
    /// - Throws: a sentence with the error of the text, or of each entry without a value.
    public static func read(_ bytes: [UInt8], from origin: String) throws(ImportRefusal) -> [String: String] {
        let entries = try entries(of: bytes, from: origin)
        guard entries.problems.isEmpty else {
            let sentences = entries.problems.compactMap { problem in
                if case .unreadable(let sentence) = problem.reason { sentence } else { nil }
            }
            throw ImportRefusal(sentence: "\(sentences.joined(separator: " ")) Nothing was changed.")
        }
        return entries.values
    }

    /// The keys and values, with unreadable entries separate.
    ///
    /// - Throws: a sentence with the error of the text as a whole.
    package static func entries(of bytes: [UInt8], from origin: String) throws(ImportRefusal) -> ImportEntries {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: bytes).root
        } catch {
            throw ImportRefusal(sentence: "\(origin): \(error.asSentence) Nothing was changed.")
        }
        guard root.kind == .object else {
            throw ImportRefusal(
                sentence: "\(origin) must contain a JSON object of keys and values. Nothing was changed.")
        }
        if let refusal = newerFormat(of: root, from: origin) { throw refusal }
        return entries(in: root, from: origin)
    }

    private static func entries(in root: JSONValue, from origin: String) -> ImportEntries {
        let isStore = isOverrideFile(root)
        let members = isStore || isExport(root) ? root["overrides"] ?? root : root
        var entries = ImportEntries()
        if isExport(root) { entries.app = root["app"]?.flagText?.string }
        for (key, value) in members.members {
            let error: JSONError
            if let text = isStore ? value["value"]?.flagText : value.flagText, !key.string.isEmpty {
                entries.values[key.string] = text.string
                continue
            } else if key.string.isEmpty {
                error = JSONError(at: value, "A key needs at least one character")
            } else {
                error = JSONError(at: value, "\(JSONOutput.quoted(key.string, limit: 80)) has no value")
            }
            entries.problems.append(
                ImportPlan.Problem(key: key.string, reason: .unreadable("\(origin): \(error.asSentence)")))
        }
        return entries
    }

    /// Whether a text is an override file, of any version. An export is not, as its values are texts.
    package static func isOverrideFile(_ bytes: [UInt8]) -> Bool {
        // A text that is not JSON is not an override file, or a damaged one.
        (try? JSONDocument(parsing: bytes).root).map(isOverrideFile) ?? false
    }

    /// Whether a text contains overrides: an override file, of any version, or an export.
    package static func isOfOverrides(_ bytes: [UInt8]) -> Bool {
        // A text that is not JSON does not.
        (try? JSONDocument(parsing: bytes).root).map { isOverrideFile($0) || isExport($0) } ?? false
    }

    /// An export has its overrides in a member, beside its origin and time. Without those the members are flags.
    private static func isExport(_ root: JSONValue) -> Bool {
        root["exportedAt"]?.kind == .string && root["overrides"]?.kind == .object
    }

    private static func isOverrideFile(_ root: JSONValue) -> Bool {
        root["format"]?.kind == .number && root["overrides"]?.kind == .object
    }

    /// A number in `format` is a version, as exports write every value as text.
    private static func newerFormat(of root: JSONValue, from origin: String) -> ImportRefusal? {
        guard let format = root["format"], format.kind == .number, format.source != "1" else { return nil }
        guard let version = Int(format.source), version > 1 else { return nil }
        return ImportRefusal(
            sentence: "\(origin) has format \(version) of a newer version; this one reads format 1. "
                + "Nothing was changed. Export it again, or quote the number if it is a flag's value.")
    }
}

/// The content of an imported file.
package struct ImportEntries: Sendable, Hashable {
    /// The overrides by key.
    package var values: [String: String] = [:]
    /// The entries without a value or a key.
    package var problems: [ImportPlan.Problem] = []
    /// The app of the overrides; `nil` if the file does not name it.
    package var app: String?

    /// Entries without a problem.
    package init(values: [String: String] = [:], app: String? = nil) { (self.values, self.app) = (values, app) }
}

/// Why a text cannot be imported.
public struct ImportRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what is preserved, as a sentence.
    public let sentence: String

    /// A refusal.
    public init(sentence: String) { self.sentence = sentence }

    /// The sentence.
    public var description: String { sentence }
}
