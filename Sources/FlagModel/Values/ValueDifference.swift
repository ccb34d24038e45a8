/// One value before and after.
package struct ValueDifference: Sendable, Hashable {
    /// The flag's key.
    package let key: String
    /// The value before; `nil` if there was none.
    package let old: String?
    /// The value after; `nil` if there is none.
    package let new: String?

    /// A value before and after.
    package init(key: String, old: String?, new: String?) {
        self.key = key
        self.old = old
        self.new = new
    }

    /// What differs between two tables, in the order of the newer, then of what is gone.
    package static func between(_ old: ValueTable, _ new: ValueTable) -> [ValueDifference] {
        let changed = new.keys.filter { old[$0] != new[$0] }
        let gone = old.keys.filter { new[$0] == nil }
        return (changed + gone).map { key in
            ValueDifference(key: key.string, old: old[key]?.string, new: new[key]?.string)
        }
    }
}
