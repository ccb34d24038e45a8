import FlagModel

/// The flags of an environment as its stream tells of them, each in its newest version.
struct StreamedFlags {
    private struct Entry {
        let version: Int?
        /// As JSON; `nil` for a flag that was deleted.
        let json: String?

        /// Whether this follows another entry: its version is greater, or one of them has none.
        func follows(_ other: Entry?) -> Bool {
            guard let known = other?.version, let version else { return true }
            return version > known
        }
    }

    private var entries: [FlagText: Entry] = [:]

    /// The whole set, from an answer or from the event `put`.
    init(_ set: JSONValue) {
        for (key, entry) in set.members {
            entries[key] = Entry(version: Self.version(entry), json: entry.flagText?.string)
        }
    }

    /// Takes one flag over, from the event `patch`. Returns whether it was news, `nil` where it is no such event.
    mutating func patch(_ flag: JSONValue) -> Bool? {
        // The event names the flag in it, which the whole set does not.
        let members = flag.members.filter { $0.key != "key" }.map {
            ($0.key.string, JSONOutput.raw($0.value.compactJSON))
        }
        return take(flag, JSONOutput.object(members).text(indented: false))
    }

    /// Takes one flag out, from the event `delete`; its version stays, so that an older patch cannot bring it back.
    mutating func delete(_ flag: JSONValue) -> Bool? { take(flag, nil) }

    private mutating func take(_ flag: JSONValue, _ json: String?) -> Bool? {
        guard flag.kind == .object, let key = flag["key"]?.text, !key.isEmpty else { return nil }
        let entry = Entry(version: Self.version(flag), json: json)
        guard entry.follows(entries[key]) else { return false }
        entries[key] = entry
        return true
    }

    /// Joins the answer to a question, which may be older or newer than what the stream has told since.
    mutating func join(_ answer: StreamedFlags) {
        entries.merge(answer.entries) { streamed, answered in answered.follows(streamed) ? answered : streamed }
    }

    /// The set in the form of an answer; the same set has always the same bytes.
    var bytes: [UInt8] {
        let present = entries.sorted { $0.key < $1.key }.compactMap { key, entry in
            entry.json.map { (key.string, JSONOutput.raw($0)) }
        }
        return Array(JSONOutput.object(present).text(indented: false).utf8)
    }

    private static func version(_ flag: JSONValue) -> Int? { flag["version"].flatMap { Int($0.source) } }
}
