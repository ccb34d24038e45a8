import FlagModel

/// The JSON that is stored for one flag: its value, its author, when it was set, and when it ends.
struct TeamRecord: Sendable, Hashable {
    let override: FlagOverride
    /// Identifies the write, so that its author can find out later whether it was made.
    let write: String

    init(_ override: FlagOverride, write: String) { (self.override, self.write) = (override, write) }

    /// Reads a stored text. A text that is not such JSON is the value of a flag that someone set with other tools.
    init(parsing bytes: [UInt8]) {
        guard let root = (try? JSONDocument(parsing: bytes))?.root, root.kind == .object,
            let value = root["value"]?.text
        else {
            self.init(FlagOverride(value: String(decoding: bytes, as: UTF8.self)), write: "")
            return
        }
        self.init(FlagOverride(value: value.string, root), write: root["write"]?.text?.string ?? "")
    }

    /// The text to store.
    var text: String { JSONOutput.object(override.members + [("write", .string(write))]).text(indented: false) }
}

/// The JSON that is stored for one change in the history.
struct TeamHistoryRecord: Sendable, Hashable {
    let at: FlagTimestamp
    let by: String
    let action: String
    let changes: [OverrideChange]

    /// Reads a stored text; `nil` if it is not the record of a change.
    init?(parsing bytes: [UInt8]) {
        guard let root = (try? JSONDocument(parsing: bytes))?.root,
            let at = root["at"]?.text.flatMap({ FlagTimestamp(rfc3339: $0) }), let by = root["by"]?.text,
            let action = root["action"]?.text, let changes = root["changes"]
        else { return nil }
        self.init(
            at: at, by: by.string, action: action.string,
            changes: changes.elements.compactMap { change in
                guard let key = change["key"]?.text else { return nil }
                func side(_ name: String) -> FlagOverride? {
                    change[name].flatMap { side in side["value"]?.text.map { FlagOverride(value: $0.string, side) } }
                }
                return OverrideChange(key: key.string, old: side("old"), new: side("new"))
            })
    }

    init(at: FlagTimestamp, by: String, action: String, changes: [OverrideChange]) {
        (self.at, self.by, self.action, self.changes) = (at, by, action, changes)
    }

    /// The text to store.
    var text: String {
        func side(_ override: FlagOverride?) -> JSONOutput { override.map { .object($0.members) } ?? .null }
        let changes = changes.map { change in
            JSONOutput.object([
                ("key", .string(change.key)), ("old", side(change.old)), ("new", side(change.new)),
            ])
        }
        return JSONOutput.object([
            ("at", .string(at.rfc3339)), ("by", .string(by)), ("action", .string(action)), ("changes", .array(changes)),
        ]).text(indented: false)
    }
}

extension FlagOverride {
    /// Reads the author and the times beside a value.
    init(value: String, _ json: JSONValue) {
        self.init(
            value: value, setAt: json["at"]?.text.flatMap { FlagTimestamp(rfc3339: $0) },
            setBy: json["by"]?.text?.string,
            endsAt: json["ends"]?.text.flatMap { FlagTimestamp(rfc3339: $0) })
    }

    /// The members of a stored object, without those that are unknown.
    var members: [(String, JSONOutput)] {
        let texts = [("by", setBy), ("at", setAt?.rfc3339), ("ends", endsAt?.rfc3339)]
        return [("value", .string(value))] + texts.compactMap { name, text in text.map { (name, .string($0)) } }
    }
}
