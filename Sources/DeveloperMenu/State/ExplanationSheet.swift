public import FlagModel

/// The sheet that explains one flag where the screen has no room for a detail pane.
public struct ExplanationSheet: Sendable, Equatable {
    /// The flag's key.
    public let key: FlagText
    /// The index of the first line shown.
    public internal(set) var top = 0
    /// Whether long JSON is shown whole.
    public internal(set) var isUnfolded = false
}
