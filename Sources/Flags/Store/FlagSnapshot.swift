public import FlagModel

/// All flags at one moment: it never changes. For a request or a screen that must not see half of a change.
public struct FlagSnapshot: Sendable {
    let values: LayerValues
    let remote: RemoteSnapshot
    /// Called with the invalid texts of flags that are read.
    var onRefusal: @Sendable (any AnyFlagDeclaration, [RefusedValue]) -> Void = { _, _ in }

    /// The value of a declared flag at that moment.
    public subscript<Value>(key: FlagKey<Value>) -> Value {
        let resolution = key.declaration.resolve(in: values)
        if !resolution.refused.isEmpty { onRefusal(key.declaration, resolution.refused) }
        return resolution.value
    }

    /// The keys that any layer has, sorted.
    public var keys: [String] { values.keys.sorted() }

    /// The catalog.
    public var catalog: Catalog { remote.catalog }

    /// What every layer has for a flag, and which one wins. If the default layer has no value, it shows the default of
    /// the declaration.
    public func explain<Value>(_ key: FlagKey<Value>) -> Explanation { explain(declared: key.declaration) }

    /// What every layer has for a key.
    public func explain(_ key: String) -> Explanation {
        if let declaration = FlagRegistry.declaration(of: key) { return explain(declared: declaration) }
        return values.resolve(key, type: remote.type(of: FlagText(key)))
    }

    private func explain(declared: any AnyFlagDeclaration) -> Explanation {
        let found = values.resolve(declared.name, type: declared.type, accepts: declared.accepts)
        return Explanation(
            key: found.key, type: found.type, entries: Self.entries(found.entries, withDefaultOf: declared))
    }

    /// The default of the declaration is shown if the store was opened with none, and below an invalid one.
    private static func entries(
        _ entries: [Explanation.Entry], withDefaultOf declared: any AnyFlagDeclaration
    ) -> [Explanation.Entry] {
        guard let own = entries.last, !own.isCastable, let fallback = declared.defaultText else { return entries }
        return (own.value == nil ? entries.dropLast() : entries)
            + [Explanation.Entry(layer: .default, value: FlagText(fallback), isCastable: true)]
    }

    /// The effective text of a key and its layer, as a declaration reads it; by default, the first one of the key.
    func outcome(of key: String, read declaration: (any AnyFlagDeclaration)? = nil) -> FlagOutcome {
        if let declaration = declaration ?? FlagRegistry.declaration(of: key) {
            return declaration.outcome(in: values)
        }
        let explanation = values.resolve(key, type: remote.type(of: FlagText(key)))
        let text = explanation.value?.string
        let truth = explanation.type == .bool ? text.flatMap(FlagReading.bool) : nil
        return FlagOutcome(text: text, layer: explanation.winner, meaning: truth.map(String.init) ?? text)
    }
}

extension FlagSnapshot: UndeclaredFlags {
    /// The text of the highest layer that has the key.
    public func text(of key: String, as type: FlagType) throws(FlagReadError) -> String {
        guard let text = values.resolve(key, type: .string).value else {
            throw FlagReadError(code: .notFound, key: key, text: nil, type: type)
        }
        return text.string
    }
}
