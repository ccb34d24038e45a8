import FlagModel

/// The flags of an environment from its stream, each in its newest version.
struct StreamedFlags {
    private struct Entry {
        let version: Int?
        /// The flag as JSON; `nil` for a flag that was deleted.
        let json: String?

        /// Whether this entry replaces another one: its version is greater, or one of the two entries has no version.
        func isNewer(than entry: Entry?) -> Bool {
            guard let otherVersion = entry?.version, let version else { return true }
            return version > otherVersion
        }
    }

    private var entries: [FlagText: Entry] = [:]

    /// All flags, from a response or from the event `put`.
    init(_ set: JSONValue) {
        for (key, entry) in set.members {
            entries[key] = Entry(version: Self.version(entry), json: entry.flagText?.string)
        }
    }

    /// Replaces one flag, from the event `patch`. Returns whether the flag is newer than the known one; `nil` if the
    /// event is malformed.
    mutating func patch(_ flag: JSONValue) -> Bool? {
        // The event has the flag's key as a member, which flags in a response do not have.
        let members = flag.members.filter { $0.key != "key" }.map {
            ($0.key.string, JSONOutput.raw($0.value.compactJSON))
        }
        return replace(flag, JSONOutput.object(members).text(indented: false))
    }

    /// Removes one flag, from the event `delete`. The flag's version stays, so that an older patch cannot restore the
    /// flag. Returns the same as ``patch(_:)``.
    mutating func delete(_ flag: JSONValue) -> Bool? { replace(flag, nil) }

    private mutating func replace(_ flag: JSONValue, _ json: String?) -> Bool? {
        guard flag.kind == .object, let key = flag["key"]?.text, !key.isEmpty else { return nil }
        let entry = Entry(version: Self.version(flag), json: json)
        guard entry.isNewer(than: entries[key]) else { return false }
        entries[key] = entry
        return true
    }

    /// Merges a response, whose flags may be older or newer than those from the stream.
    mutating func join(_ result: StreamedFlags) {
        entries.merge(result.entries) { streamed, fetched in fetched.isNewer(than: streamed) ? fetched : streamed }
    }

    /// All flags in the format of a response; the same flags always have the same bytes.
    var bytes: [UInt8] {
        let present = entries.sorted { $0.key < $1.key }.compactMap { key, entry in
            entry.json.map { (key.string, JSONOutput.raw($0)) }
        }
        return Array(JSONOutput.object(present).text(indented: false).utf8)
    }

    private static func version(_ flag: JSONValue) -> Int? { flag["version"].flatMap { Int($0.source) } }
}
