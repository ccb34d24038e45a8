/// The brightness of the background, which decides which colours are readable.
public enum TerminalBackground: Sendable, Hashable, CaseIterable {
    /// Light text is easier to read on it.
    case dark
    /// Dark text is easier to read on it.
    case light
}
