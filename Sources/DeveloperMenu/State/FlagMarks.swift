public import FlagModel

/// The flags that are marked for a bulk action.
public struct FlagMarks: Sendable, Equatable {
    /// The keys of the marked flags.
    public private(set) var keys: Set<FlagText> = []
    /// The most recently marked key, at which a range begins.
    private(set) var last: FlagText?

    /// Whether no flag is marked.
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

    /// Marks flags. The next range begins at the last of the added keys.
    mutating func add(_ added: [FlagText]) {
        keys.formUnion(added)
        last = added.last ?? last
    }
}
