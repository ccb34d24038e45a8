import FlagQueries
import TerminalUI

extension Theme {
    /// For light backgrounds: blue, as cyan letters are hard to read on white.
    public static let light: Theme = {
        var theme = Theme()
        theme.accent = Style(foreground: .blue)
        theme.pointer = Style(background: .blue)
        theme.selection = Style(foreground: .white, background: .blue)
        theme.matchInSelection = Style(foreground: .white, background: .blue, isUnderlined: true)
        return theme
    }()

    /// For high contrast: nothing dim, and colour only as a fill behind black or white.
    public static let highContrast: Theme = {
        var theme = Theme()
        theme.faint = .plain
        theme.accent = Style.plain.bold()
        theme.selection = Style.plain.bold().reversed()
        theme.pointer = theme.selection
        theme.matchInSelection = Style.plain.bold().underlined().reversed()
        theme.invalid = Style.plain.bold().underlined()
        theme.error = Style(foreground: .white, background: .red, isBold: true)
        theme.invalidMarker = theme.error
        return theme
    }()

    /// Without colours, for `NO_COLOR` and for terminals without colours.
    public static let mono: Theme = {
        var theme = Theme()
        theme.accent = Style.plain.bold()
        theme.selection = Style.plain.reversed()
        theme.pointer = Style.plain.reversed()
        theme.matchInSelection = Style.plain.bold().underlined().reversed()
        theme.overridden = Style.plain.bold().reversed()
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
}
