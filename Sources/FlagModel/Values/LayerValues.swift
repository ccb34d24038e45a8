/// The values of all layers, side by side and never merged.
public struct LayerValues: Sendable {
    /// Arguments and environment of this run.
    public var launch: [String: String]
    /// Local overrides.
    public var overrides: [String: Override]
    /// Overrides that a team shares.
    public var team: [String: String]
    /// Active remote values.
    public var remote: ValueTable
    /// Values compiled into the app.
    public var defaults: ValueTable

    /// The values of any layers; the others are empty.
    public init(
        launch: [String: String] = [:], overrides: [String: Override] = [:], team: [String: String] = [:],
        remote: ValueTable = ValueTable(), defaults: ValueTable = ValueTable()
    ) {
        self.launch = launch
        self.overrides = overrides
        self.team = team
        self.remote = remote
        self.defaults = defaults
    }

    /// What each layer says about a key, and who wins: the highest layer whose value can be read as the type.
    public func resolve(_ key: FlagText, type: FlagType) -> Explanation {
        // Most flags have neither of the three upper layers; then the key need not become a string.
        let needsString = !(launch.isEmpty && overrides.isEmpty && team.isEmpty)
        return explain(key, name: needsString ? key.string : "", type: type)
    }

    /// What each layer says about a key, and who wins.
    public func resolve(_ key: String, type: FlagType) -> Explanation {
        explain(FlagText(key), name: key, type: type)
    }

    private func explain(_ key: FlagText, name: String, type: FlagType) -> Explanation {
        let entries = Layer.allCases.map { layer in
            let value = value(of: key, name: name, in: layer)
            let isCastable = value.map { type.accepts($0) } ?? false
            return Explanation.Entry(layer: layer, value: value, isCastable: isCastable)
        }
        return Explanation(key: key, type: type, entries: entries)
    }

    private func value(of key: FlagText, name: String, in layer: Layer) -> FlagText? {
        switch layer {
        case .launch: launch[name].map { FlagText($0) }
        case .override: overrides[name].map { FlagText($0.value) }
        case .team: team[name].map { FlagText($0) }
        case .remote: remote[key]
        case .default: defaults[key]
        }
    }
}
