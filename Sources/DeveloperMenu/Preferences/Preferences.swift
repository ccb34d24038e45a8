public import TerminalUI

/// Preferences of a user, a project or one run. How values are read and written is in ``Preference``.
public struct Preferences: Sendable, Equatable {
    /// The styles of the menu.
    public enum ThemeChoice: String, Sendable, CaseIterable {
        /// Dark or light, as the terminal reports its background.
        case automatic = "auto"
        /// For dark backgrounds.
        case dark
        /// For light backgrounds.
        case light
        /// Nothing dim, strong fills.
        case highContrast
        /// No colours.
        case mono
    }

    /// How the selected row is shown.
    public enum Selection: String, Sendable, CaseIterable {
        /// By a bar at its left edge.
        case bar
        /// By a filled row.
        case fill
    }

    /// The characters to draw.
    public enum CharsetChoice: String, Sendable, CaseIterable {
        /// Those of the locale.
        case automatic = "auto"
        /// ASCII, whatever the locale.
        case ascii
    }

    /// The styles of the menu.
    public var theme = ThemeChoice.automatic
    /// Whether the menu uses the mouse; then the terminal selects text with Shift pressed.
    public var mouse = false
    /// The user's own keys, by the name of the action, such as `list.toggle`.
    public var keys: [String: [KeyPress]] = [:]
    /// How the selected row is shown.
    public var selection = Selection.fill
    /// The characters to draw.
    public var charset = CharsetChoice.automatic
    /// Whether the terminal's background is queried.
    public var detectsBackground = true
    /// The order of the list without a stored session.
    public var order = ListOrder.catalog
    /// Whether category, filter, selection and order are restored at the next start.
    public var restoresSession = true
    /// Whether nothing that apps read may be changed.
    public var isReadOnly = false
    /// The name of the source's environment, such as `staging`; empty for none.
    public var environment = ""
    /// Whether the menu is shown as numbered lines and prompts.
    public var isAccessible = false

    /// The standard preferences.
    public init() {}

    /// The standard preferences.
    public static let standard = Preferences()
}
