import FlagModel

/// The declarations of the flags that were read, whose values are published again if a layer changes.
///
/// They are found by key, so that a change of one flag costs the same in an app of ten flags and in one of a thousand.
struct ReadFlags: Sendable {
    /// The declarations of each key; almost always one.
    private var byKey: FlagTable<[any AnyFlagDeclaration]> = [:]

    /// All declarations, unordered.
    var all: [any AnyFlagDeclaration] { byKey.values.flatMap { $0 } }

    /// The declarations of some keys.
    func declarations(of keys: Set<FlagText>) -> [any AnyFlagDeclaration] {
        keys.flatMap { byKey[$0.string] ?? [] }
    }

    mutating func insert(_ declaration: any AnyFlagDeclaration) {
        let others = byKey[declaration.name] ?? []
        if !others.contains(where: { $0 === declaration }) { byKey[declaration.name] = others + [declaration] }
    }
}
