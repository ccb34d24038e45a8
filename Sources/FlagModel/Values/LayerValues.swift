/// The values of all layers, never merged: a table from layer to content.
public struct LayerValues: Sendable {
    /// The content of each layer, indexed by `rawValue`.
    private var contents = [LayerContent](repeating: LayerContent(), count: FlagLayer.allCases.count)

    /// The values of the given layers; all other layers are empty.
    public init(_ contents: KeyValuePairs<FlagLayer, LayerContent> = [:]) {
        for (layer, content) in contents { self[layer] = content }
    }

    /// The values of one layer.
    public subscript(layer: FlagLayer) -> LayerContent {
        get { contents[layer.rawValue] }
        _modify { yield &contents[layer.rawValue] }
    }

    /// Local overrides.
    public var overrides: FlagTable<FlagOverride> {
        get { self[.override].overrides }
        _modify { yield &self[.override].overrides }
    }
    /// Active remote values.
    public var remote: ValueTable { self[.remote].table }

    /// Values compiled into the app.
    public var defaults: ValueTable { self[.default].table }

    /// The keys that any layer has.
    public var keys: Set<FlagText> { Set(contents.flatMap { $0.keys }) }

    /// The text that one layer has for a key, valid or not.
    public func text(of key: String, in layer: FlagLayer) -> String? { contents[layer.rawValue].text(of: key) }

    /// The value of each layer for a key, and the winner: the highest layer whose value is valid for the type.
    public func resolve(_ key: FlagText, type: FlagType) -> Explanation {
        resolve(key, type: type) { type.accepts($0) }
    }

    /// The value of each layer for a key, and the winner: the highest layer whose value `accepts` returns `true` for.
    /// Layers without values are left out unless ``FlagLayer/isInEverySetup``.
    package func resolve(_ key: FlagText, type: FlagType, accepts: (FlagText) -> Bool) -> Explanation {
        var entries: [Explanation.Entry] = []
        entries.reserveCapacity(contents.count)
        for layer in FlagLayer.allCases where layer.isInEverySetup || !contents[layer.rawValue].isEmpty {
            let value = contents[layer.rawValue].value(of: key)
            entries.append(
                Explanation.Entry(layer: layer, value: value, isCastable: value.map(accepts) ?? false))
        }
        return Explanation(key: key, type: type, entries: entries)
    }
}
