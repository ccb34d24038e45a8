/// What text stands on, as far as it decides which colours can be read.
public enum TerminalBackground: Sendable, Hashable, CaseIterable {
    /// Light text on it reads better.
    case dark
    /// Dark text on it reads better.
    case light
}
