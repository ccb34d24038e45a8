public import FlagModel

/// The flags that are marked for an action on several of them.
public struct FlagMarks: Sendable, Equatable {
    /// Their keys.
    public private(set) var keys: Set<FlagText> = []
    /// The one that was marked last, from which a range begins.
    private(set) var last: FlagText?

    /// `true` if no flag is marked.
    public var isEmpty: Bool { keys.isEmpty }

    /// Whether a flag is marked.
    public func contains(_ key: FlagText) -> Bool { keys.contains(key) }

    /// Marks a flag, or takes its mark away.
    mutating func toggle(_ key: FlagText) {
        if keys.remove(key) == nil {
            keys.insert(key)
            last = key
        }
    }

    /// Marks flags, the last of which the next range begins at.
    mutating func add(_ added: [FlagText]) {
        keys.formUnion(added)
        last = added.last ?? last
    }
}
