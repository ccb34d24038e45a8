import TerminalUI

/// The few styles of the stage, in the terminal's own colours. Each only repeats what a marker or a word shows.
struct StageTheme: Sendable, Equatable {
    var title = Style.plain.bold()
    var faint = Style.plain.dim()
    var border = Style(foreground: .cyan)
    /// The shown screen, and the selected line.
    var selection = Style(foreground: .black, background: .cyan)
    var key = Style.plain.bold()
    var overridden = Style(foreground: .black, background: .yellow)
    var problem = Style(foreground: .red, isBold: true)
    /// Whether a button may have its own colour.
    var hasColors = true

    static let dark = StageTheme()

    /// Blue, as cyan letters are hard to read on white.
    static let light: StageTheme = {
        var theme = StageTheme()
        theme.border = Style(foreground: .blue)
        theme.selection = Style(foreground: .white, background: .blue)
        return theme
    }()

    /// Without colours, for `NO_COLOR`.
    static let mono: StageTheme = {
        var theme = StageTheme()
        theme.border = .plain
        theme.selection = Style.plain.reversed()
        theme.overridden = Style.plain.bold().reversed()
        theme.problem = Style.plain.bold()
        theme.hasColors = false
        return theme
    }()
}
