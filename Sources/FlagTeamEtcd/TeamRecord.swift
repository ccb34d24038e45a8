import FlagModel
import FlagRemote

// The JSON that is stored for one flag: its value, its author, when it was set, and when it ends.
extension FlagOverride {
    /// Reads a stored text. A text that is not such JSON is the value of a flag that someone set with other tools.
    init(parsing bytes: [UInt8]) {
        let root = (try? JSONDocument(parsing: bytes))?.root
        self = root.flatMap { FlagOverride($0) } ?? FlagOverride(value: String(decoding: bytes, as: UTF8.self))
    }

    /// Reads a stored object; `nil` if it has no value.
    init?(_ json: JSONValue) {
        guard let value = json["value"]?.text else { return nil }
        self.init(
            value: value.string, setAt: json.timestamp("at"), setBy: json["by"]?.text?.string,
            note: json["note"]?.text?.string, end: json.timestamp("ends").map(OverrideEnd.moment))
    }

    /// The object to store, without the members that are unknown.
    var json: JSONOutput {
        let texts = [("by", setBy), ("at", setAt?.rfc3339), ("note", note), ("ends", end?.time?.rfc3339)]
        return .object(
            [("value", .string(value))] + texts.compactMap { name, text in text.map { (name, .string($0)) } })
    }

    /// The text to store.
    var text: String { json.text(indented: false) }
}

// The JSON that is stored for one change in the history.
extension TeamChange {
    /// Reads an entry of the history; `nil` if it is not the record of a change.
    init?(_ entry: EtcdEntry) {
        guard let root = (try? JSONDocument(parsing: entry.value))?.root,
            let at = root.timestamp("at"), let by = root["by"]?.text, let action = root["action"]?.text,
            let changes = root["changes"]
        else { return nil }
        self.init(
            revision: Int(entry.createdAt), at: at, by: by.string, action: action.string,
            changes: changes.elements.compactMap { change in
                guard let key = change["key"]?.text else { return nil }
                return OverrideChange(
                    key: key.string, old: change["old"].flatMap { FlagOverride($0) },
                    new: change["new"].flatMap { FlagOverride($0) })
            })
    }

    /// The text to store.
    var text: String {
        let changes = changes.map { change in
            JSONOutput.object([
                ("key", .string(change.key)), ("old", change.old?.json ?? .null), ("new", change.new?.json ?? .null),
            ])
        }
        return JSONOutput.object([
            ("at", .string(at.rfc3339)), ("by", .string(by)), ("action", .string(action)), ("changes", .array(changes)),
        ]).text(indented: false)
    }
}
