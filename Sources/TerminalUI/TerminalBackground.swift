/// The brightness of the terminal's background. It decides which colours are readable.
public enum TerminalBackground: Sendable, Hashable, CaseIterable {
    /// Light text is easier to read than dark text.
    case dark
    /// Dark text is easier to read than light text.
    case light
}
