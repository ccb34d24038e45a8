extension LayerValues {
    /// The text that one layer has for a key, whatever its type.
    public func text(of key: String, in layer: Layer) -> String? {
        switch layer {
        case .launch: launch[key]
        case .override: overrides[key]?.value
        case .team: team[key]
        case .remote: remote[key]?.string
        case .default: defaults[key]?.string
        }
    }
}
