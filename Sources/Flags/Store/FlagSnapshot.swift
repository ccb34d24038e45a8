public import FlagModel

/// All flags at one moment, for a request or a screen that must not see half of a change. A snapshot never changes, and
/// keeps its store alive.
public struct FlagSnapshot: Sendable {
    let shared: SharedContents
    let store: FlagStore

    var contents: StoreContents { shared.value }
    var values: LayerValues { shared.value.values }
    var remote: RemoteSnapshot { shared.value.documents }

    /// The value of a declared flag at that moment.
    public subscript<Value>(key: FlagKey<Value>) -> Value {
        store.value(of: key, at: shared) ?? read(key).value
    }

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
}

extension FlagSnapshot: UndeclaredFlags {
    /// The text of the highest layer that has the key.
    public func text(of key: String, as type: FlagType) throws(FlagReadError) -> String {
        let name = FlagText(key)
        var winner: (layer: FlagLayer, text: String)?
        for layer in FlagLayer.allCases where winner == nil {
            winner = values[layer].value(of: name).map { (layer, $0.string) }
        }
        store.recordRead(of: .text(key), in: values)
        store.report(Exposure(key: key, type: type, text: winner?.text, layer: winner?.layer)) { [values] in
            values.details(of: key, as: type, winner?.text, in: winner?.layer)
        }
        guard let winner else { throw FlagReadError(code: .notFound, key: key, text: nil, type: type) }
        return winner.text
    }
}
