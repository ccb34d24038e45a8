import FlagModel
import FlagQueries
import TerminalUI

/// The styles of the menu, in the terminal's own colours. A style is never the only sign of a state: a glyph, a bar or a
/// word shows the state as well.
public struct Theme: Sendable, Equatable {
    /// Text of normal importance.
    let plain: Style = .plain
    /// A title, or another important name or value.
    var title = Style.plain.bold()
    var header = Style.plain.bold()
    /// The least important text.
    var faint = Style.plain.dim()
    /// The background of the selected row of the list, under the row's own colours; `nil` for reverse video.
    var selectedRow: Color? = .darkGrey
    /// The selected entry of a sheet.
    var selection = Style(foreground: .black, background: .cyan)
    /// Matched letters.
    // Not in cyan: bold cyan, which terminals draw bright, is hard to read on white.
    var match = Style(isBold: true, isUnderlined: true)
    /// Matched letters in the selected entry of a sheet.
    // Not bold: many terminals draw bold black as grey, which is hard to read on cyan.
    var matchInSelection = Style(foreground: .black, background: .cyan, isUnderlined: true)
    /// Borders and bars.
    var accent = Style(foreground: .cyan)
    /// A key that can be pressed.
    var key = Style.plain.bold()
    /// A bool that is true.
    var on = Style(foreground: .green)
    /// The bar beside a changed flag.
    var bar = Style(foreground: .yellow)
    /// The value of a changed flag.
    var changedValue: Style { bar.bold() }
    /// The number of changes.
    var changed = Style(foreground: .black, background: .yellow)
    /// A value that is invalid for its type.
    var invalid = Style(foreground: .red)
    var error = Style(foreground: .red, isBold: true)
    /// The name of a production environment.
    // Reversed, so that the letters have the background's colour: some palettes have a dark red, others a light red.
    var invalidMarker = Style(foreground: .red, isReversed: true)

    /// For dark and for unknown backgrounds.
    public static let dark = Theme()

    /// For light backgrounds: blue, as yellow and cyan letters are hard to read on white, and a grey that is not too
    /// light, which dim text may be there.
    public static let light: Theme = {
        var theme = Theme()
        theme.faint = Style(foreground: .grey)
        theme.selectedRow = .lightGrey
        theme.accent = Style(foreground: .blue)
        theme.on = Style(foreground: .darkGreen)
        theme.bar = Style(foreground: .blue)
        theme.changed = Style(foreground: .white, background: .blue)
        theme.selection = Style(foreground: .white, background: .blue)
        theme.matchInSelection = Style(foreground: .white, background: .blue, isUnderlined: true)
        return theme
    }()

    /// For high contrast: nothing dim, and colour only as a fill behind black or white.
    public static let highContrast: Theme = {
        var theme = mono
        theme.faint = .plain
        theme.selection = Style.plain.bold().reversed()
        theme.invalid = Style.plain.bold().underlined()
        theme.error = Style(foreground: .white, background: .red, isBold: true)
        theme.invalidMarker = theme.error
        theme.changed = Style(foreground: .black, background: .yellow)
        return theme
    }()

    /// Without colours, for `NO_COLOR` and for terminals without colours.
    public static let mono: Theme = {
        var theme = Theme()
        theme.selectedRow = nil
        theme.accent = Style.plain.bold()
        theme.selection = Style.plain.reversed()
        theme.matchInSelection = Style.plain.bold().underlined().reversed()
        theme.on = .plain
        theme.bar = Style.plain.bold()
        theme.changed = Style.plain.bold().reversed()
        theme.invalid = Style.plain.underlined()
        theme.error = Style.plain.bold()
        theme.invalidMarker = Style.plain.bold().reversed()
        return theme
    }()

    /// The theme of a choice. The automatic theme depends on the terminal's background.
    static func preset(_ choice: Preferences.ThemeChoice, isOnLight: Bool) -> Theme {
        switch choice {
        case .automatic: isOnLight ? .light : .dark
        case .dark: .dark
        case .light: .light
        case .highContrast: .highContrast
        case .mono: .mono
        }
    }

    /// A style in the selected row: all of it is bold, so that only colours change within the row, and each move sends
    /// few bytes.
    func inSelectedRow(_ style: Style) -> Style {
        var style = style
        (style.isBold, style.isDim) = (true, false)
        if let selectedRow { style.background = selectedRow } else { style.isReversed.toggle() }
        return style
    }

    /// The style of the words about a flag's state.
    func style(of state: OverrideState) -> Style {
        switch state {
        case .notSet: faint
        case .overridden, .sameAsRemote, .stale: plain
        case .invalid: invalid
        }
    }

    /// The style of a message.
    func style(of kind: MenuMessage.Kind) -> Style {
        switch kind {
        case .updates, .change: title
        case .rejection, .elsewhere: plain
        case .error: error
        }
    }
}
