import FlagModel

/// One remote value before and after.
struct ValueDifference {
    let key: String
    let old: String?
    let new: String?

    /// What differs between two tables, in the order of the newer, then of what is gone.
    static func between(_ old: ValueTable, _ new: ValueTable) -> [ValueDifference] {
        let changed = new.keys.filter { old[$0] != new[$0] }
        let gone = old.keys.filter { new[$0] == nil }
        return (changed + gone).map { key in
            ValueDifference(key: key.string, old: old[key]?.string, new: new[key]?.string)
        }
    }

    /// `key: old -> new`.
    var sentence: String { "\(key): \(Workspace.shown(old)) -> \(Workspace.shown(new))" }

    var json: JSONOutput {
        .object([("key", .string(key)), ("old", FlagJSON.text(old)), ("new", FlagJSON.text(new))])
    }
}
