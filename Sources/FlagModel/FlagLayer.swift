/// Where a value of a flag comes from: a launch value, an override, the team, the remote side or the default. A higher
/// layer wins: `launch` over all others.
///
/// Layers are never merged into each other, so clearing an override shows the value of the next layer as it is now.
public enum FlagLayer: Int, Sendable, CaseIterable, Comparable {
    // A new layer needs a case, a word, and code that sets its `LayerContent` in `LayerValues`.

    /// Arguments and environment of one run, what the app's code sets for one, and `withOverrides`; never saved.
    case launch
    /// Local overrides, saved in the override file.
    case override
    /// Overrides that a team shares.
    case team
    /// The active values of the remote sources.
    case remote
    /// Values compiled into the app.
    case `default`

    /// The word for the layer in the menu, on the command line and in files.
    public var word: String {
        switch self {
        case .launch: "launch"
        case .override: "override"
        case .team: "team"
        case .remote: "remote"
        case .default: "default"
        }
    }

    /// Whether the layer is shown even without values.
    public var isInEverySetup: Bool { self != .launch && self != .team }

    /// The layers that win over remote values.
    public static let aboveRemote = allCases.filter { $0 < .remote }

    /// Whether `lhs` wins over `rhs`.
    public static func < (lhs: FlagLayer, rhs: FlagLayer) -> Bool { lhs.rawValue < rhs.rawValue }
}
