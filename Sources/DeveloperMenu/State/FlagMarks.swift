public import FlagModel

/// The flags that are marked for a bulk action.
public struct FlagMarks: Sendable, Equatable {
    /// Their keys.
    public private(set) var keys: Set<FlagText> = []
    /// The one that was marked last, where a range begins.
    private(set) var last: FlagText?

    /// `true` if no flag is marked.
    public var isEmpty: Bool { keys.isEmpty }

    /// Whether a flag is marked.
    public func contains(_ key: FlagText) -> Bool { keys.contains(key) }

    /// Marks or unmarks a flag.
    mutating func toggle(_ key: FlagText) {
        if keys.remove(key) == nil {
            keys.insert(key)
            last = key
        }
    }

    /// Marks flags; the next range begins at the last of them.
    mutating func add(_ added: [FlagText]) {
        keys.formUnion(added)
        last = added.last ?? last
    }
}
