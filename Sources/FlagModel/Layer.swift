/// One source of values for flags. The order of the cases is the precedence: `launch` wins over everything.
///
/// Layers are never merged into each other, so clearing an override shows the remote value of now.
public enum Layer: Int, Sendable, CaseIterable, Comparable {
    /// Arguments and environment of one run; never saved.
    case launch
    /// Local overrides, saved in the override file.
    case override
    /// Overrides that a team shares.
    case team
    /// The active values of the remote sources.
    case remote
    /// Values compiled into the app.
    case `default`

    /// The word that every surface uses for the layer.
    public var word: String {
        switch self {
        case .launch: "launch"
        case .override: "override"
        case .team: "team"
        case .remote: "remote"
        case .default: "default"
        }
    }

    /// `true` when `lhs` wins over `rhs`.
    public static func < (lhs: Layer, rhs: Layer) -> Bool { lhs.rawValue < rhs.rawValue }
}
