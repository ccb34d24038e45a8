import TerminalUI

/// The styles of the stage, in the terminal's own colours. A style is never the only sign of a state: a marker or a
/// word also shows the state.
struct StageTheme: Sendable, Equatable {
    var title = Style.plain.bold()
    var faint = Style.plain.dim()
    var border = Style(foreground: .cyan)
    /// The name of the shown screen, and the selected line.
    var selection = Style(foreground: .black, background: .cyan)
    var key = Style.plain.bold()
    var overridden = Style(foreground: .black, background: .yellow)
    var issue = Style(foreground: .red, isBold: true)
    /// Whether a button is drawn in the colour of its flag.
    var hasColors = true

    static let dark = StageTheme()

    /// The theme for light backgrounds. It uses blue, because cyan letters are hard to read on white.
    static let light = StageTheme(
        border: Style(foreground: .blue), selection: Style(foreground: .white, background: .blue))

    /// The theme without colours, for `NO_COLOR`.
    static let mono = StageTheme(
        border: .plain, selection: Style.plain.reversed(), overridden: Style.plain.bold().reversed(),
        issue: Style.plain.bold(), hasColors: false)
}
