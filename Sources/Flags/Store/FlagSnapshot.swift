public import FlagModel

/// All flags at one moment, for a request or a screen that must not see half of a change. A snapshot never changes.
public struct FlagSnapshot: Sendable {
    let values: LayerValues
    let remote: RemoteSnapshot
    /// Called with the invalid texts of flags that are read.
    var onRejection: @Sendable (any AnyFlagDeclaration, [RejectedValue]) -> Void = { _, _ in }

    /// Called with each flag that is read, and the values of the snapshot.
    var onRead: @Sendable (ObservedFlags, LayerValues) -> Void = { _, _ in }

    /// Called with each evaluation; `nil` if no handler needs its details.
    var onEvaluation: (@Sendable (EvaluationDetails<String?>) -> Void)?

    /// The value of a declared flag at that moment.
    public subscript<Value>(key: FlagKey<Value>) -> Value { read(key).value }

    /// The keys that any layer has, sorted.
    public var keys: [String] { values.keys.sorted().map(\.string) }

    /// The catalog.
    public var catalog: Catalog { remote.catalog }

    /// The value of every layer for a flag, and the layer that wins. If the default layer has no valid value, the value
    /// of that layer is the declaration's default.
    public func explain<Value>(_ key: FlagKey<Value>) -> Explanation { explain(declared: key.declaration) }

    /// The value of every layer for a key, and the layer that wins.
    public func explain(_ key: String) -> Explanation {
        if let declaration = FlagRegistry.declaration(of: key) { return explain(declared: declaration) }
        return values.resolve(FlagText(key), type: remote.type(of: FlagText(key)))
    }

    /// The explanation with the declaration's default, which replaces a missing default of the store, or follows an
    /// invalid one.
    private func explain(declared: any AnyFlagDeclaration) -> Explanation {
        let explanation = values.resolve(FlagText(declared.name), type: declared.type) {
            declared.accepts($0.string)
        }
        guard let last = explanation.entries.last, !last.isCastable, let text = declared.defaultText else {
            return explanation
        }
        return explanation.adding(default: text)
    }

    /// The effective text of a key and its layer, read by `declaration`; by default, by the first declaration of the
    /// key.
    func outcome(of key: String, read declaration: (any AnyFlagDeclaration)? = nil) -> FlagOutcome {
        if let declaration = declaration ?? FlagRegistry.declaration(of: key) {
            return declaration.outcome(in: values)
        }
        let explanation = values.resolve(FlagText(key), type: remote.type(of: FlagText(key)))
        let text = explanation.value?.string
        let bool = explanation.type == .bool ? text.flatMap(FlagReading.bool) : nil
        return FlagOutcome(value: bool.map(String.init) ?? text, text: text, layer: explanation.winner)
    }
}

extension FlagSnapshot: UndeclaredFlags {
    /// The text of the highest layer that has the key.
    public func text(of key: String, as type: FlagType) throws(FlagReadError) -> String {
        let winner = values.resolve(FlagText(key), type: .string).entries.first { $0.isCastable }
        onRead(.text(key), values)
        onEvaluation?(details(of: key, as: type, winner))
        guard let text = winner?.value else {
            throw FlagReadError(code: .notFound, key: key, text: nil, type: type)
        }
        return text.string
    }
}
