import FlagModel
import FlagStorage

/// Overrides as a file or standard input holds them.
struct ImportFile {
    /// The file; `nil` is standard input.
    let path: String?
    /// What messages call it.
    let origin: String

    /// The overrides, each a value that its flag may have.
    ///
    /// - Throws: what is wrong with the file, or with the first value that is not allowed.
    func values(_ workspace: Workspace, allowsAny: Bool, allowsNew: Bool) throws(CommandFailure) -> [String: String] {
        let values = try readValues()
        var checked: [String: String] = [:]
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let facts = try workspace.facts(of: key, allowsNew: allowsNew) else {
                checked[key] = value
                continue
            }
            checked[key] = try ValueCheck(facts, allowsAny: allowsAny).checked(value)
        }
        return checked
    }

    private func readValues() throws(CommandFailure) -> [String: String] {
        let bytes = try readBytes()
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: bytes).root
        } catch {
            throw failure(error)
        }
        guard root.kind == .object else {
            throw CommandFailure(.usage, "\(origin) must hold a JSON object of keys and values. Nothing was changed.")
        }
        return try values(in: root)
    }

    private func failure(_ error: JSONError) -> CommandFailure {
        CommandFailure(.usage, "\(origin): \(error). Nothing was changed.")
    }

    private func readBytes() throws(CommandFailure) -> [UInt8] {
        guard let path else { return try StandardInput.readAll() }
        do throws(StorageError) {
            guard let bytes = try DurableFile.read(path) else {
                throw StorageError(
                    code: .cannotRead, path: path, sentence: "\(path) does not exist. Nothing was changed.")
            }
            return bytes
        } catch {
            throw CommandFailure(.usage, error.description)
        }
    }

    /// The plain shape that export writes, or the store's own with `format` and `overrides`.
    private func values(in root: JSONValue) throws(CommandFailure) -> [String: String] {
        try refuseNewer(root)
        let isStore = root["format"]?.kind == .number && root["overrides"]?.kind == .object
        var values: [String: String] = [:]
        for (key, value) in (isStore ? root["overrides"] ?? root : root).members {
            let text = isStore ? value["value"]?.flagText : value.flagText
            guard let text else {
                throw failure(JSONError(at: value, "\(JSONOutput.quoted(key.string, limit: 80)) has no value"))
            }
            guard !key.string.isEmpty else {
                throw failure(JSONError(at: value, "A key needs at least one character"))
            }
            values[key.string] = text.string
        }
        return values
    }

    /// A number in `format` is a version, as ``export`` writes every value as text.
    private func refuseNewer(_ root: JSONValue) throws(CommandFailure) {
        guard let format = root["format"], format.kind == .number, format.source != "1" else { return }
        guard let version = Int(format.source), version > 1 else { return }
        throw CommandFailure(
            .usage,
            "\(origin) is of format \(version), which a newer version wrote; this one reads format 1. "
                + "Nothing was changed. Export it anew, or put the number in quotes where it is a flag's value.")
    }
}
