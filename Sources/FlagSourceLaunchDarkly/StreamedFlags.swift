import FlagModel

/// The flags of an environment from its stream, each in its newest version.
struct StreamedFlags {
    private struct Entry {
        let version: Int?
        /// As JSON; `nil` for a flag that was deleted.
        let json: String?

        /// Whether this replaces another entry: its version is greater, or one of them has none.
        func follows(_ other: Entry?) -> Bool {
            guard let known = other?.version, let version else { return true }
            return version > known
        }
    }

    private var entries: [FlagText: Entry] = [:]

    /// The whole set, from a response or from the event `put`.
    init(_ set: JSONValue) {
        for (key, entry) in set.members {
            entries[key] = Entry(version: Self.version(entry), json: entry.flagText?.string)
        }
    }

    /// Takes over one flag, from the event `patch`. Returns whether it was new, `nil` if it is not such an event.
    mutating func patch(_ flag: JSONValue) -> Bool? {
        // The event contains the flag's key, which the whole set does not.
        let members = flag.members.filter { $0.key != "key" }.map {
            ($0.key.string, JSONOutput.raw($0.value.compactJSON))
        }
        return take(flag, JSONOutput.object(members).text(indented: false))
    }

    /// Removes one flag, from the event `delete`; its version stays, so that an older patch cannot restore it.
    mutating func delete(_ flag: JSONValue) -> Bool? { take(flag, nil) }

    private mutating func take(_ flag: JSONValue, _ json: String?) -> Bool? {
        guard flag.kind == .object, let key = flag["key"]?.text, !key.isEmpty else { return nil }
        let entry = Entry(version: Self.version(flag), json: json)
        guard entry.follows(entries[key]) else { return false }
        entries[key] = entry
        return true
    }

    /// Merges a response, which may be older or newer than what the stream has sent since.
    mutating func join(_ answer: StreamedFlags) {
        entries.merge(answer.entries) { streamed, answered in answered.follows(streamed) ? answered : streamed }
    }

    /// The set in the format of a response; the same set always has the same bytes.
    var bytes: [UInt8] {
        let present = entries.sorted { $0.key < $1.key }.compactMap { key, entry in
            entry.json.map { (key.string, JSONOutput.raw($0)) }
        }
        return Array(JSONOutput.object(present).text(indented: false).utf8)
    }

    private static func version(_ flag: JSONValue) -> Int? { flag["version"].flatMap { Int($0.source) } }
}
