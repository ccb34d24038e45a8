/// The value of one flag before and after a change.
public struct ValueDifference: Sendable, Hashable {
    /// The flag's key.
    public let key: String
    /// The value before; `nil` if there was none.
    public let old: String?
    /// The value after; `nil` if there is none.
    public let new: String?

    /// A difference.
    public init(key: String, old: String?, new: String?) {
        (self.key, self.old, self.new) = (key, old, new)
    }

    /// How a value changed.
    public enum Change: String, Sendable {
        case added, removed, changed
    }

    /// How the value changed.
    public var change: Change { old == nil ? .added : new == nil ? .removed : .changed }

    /// How many values differ and how, such as `2 changed, 1 added.`, or that no value differs.
    public static func summary(_ differences: [ValueDifference]) -> String {
        let counts = [Change.changed, .added, .removed].compactMap { change -> String? in
            let count = differences.count { $0.change == change }
            return count > 0 ? "\(count) \(change.rawValue)" : nil
        }
        return counts.isEmpty ? "No value differs." : "\(counts.joined(separator: ", "))."
    }

    /// The differences between two tables: changed and added keys in the order of `new`, then removed ones.
    public static func between(_ old: ValueTable, _ new: ValueTable) -> [ValueDifference] {
        let changedKeys = new.keys.filter { old[$0] != new[$0] }
        let removedKeys = old.keys.filter { new[$0] == nil }
        return (changedKeys + removedKeys).map { key in
            ValueDifference(key: key.string, old: old[key]?.string, new: new[key]?.string)
        }
    }
}
