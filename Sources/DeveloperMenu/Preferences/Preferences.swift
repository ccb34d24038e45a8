public import TerminalUI

/// What a user, a project or one run prefers about the menu. How values are read and written is in ``Preference``.
public struct Preferences: Sendable, Equatable {
    /// Which styles the menu is drawn in.
    public enum ThemeChoice: String, Sendable, CaseIterable {
        /// Dark or light, as the terminal says its background is.
        case automatic = "auto"
        /// For dark backgrounds.
        case dark
        /// For light backgrounds.
        case light
        /// Nothing dim, strong fills.
        case highContrast
        /// Not one colour.
        case mono
    }

    /// How the selected row is shown.
    public enum Selection: String, Sendable, CaseIterable {
        /// By a bar at its left edge.
        case bar
        /// By a filled row.
        case fill
    }

    /// Which characters are drawn.
    public enum CharsetChoice: String, Sendable, CaseIterable {
        /// Those of the locale.
        case automatic = "auto"
        /// ASCII, whatever the locale.
        case ascii
    }

    /// Which styles the menu is drawn in.
    public var theme = ThemeChoice.automatic
    /// Whether the mouse acts on the menu; while it does, the terminal selects text with Shift held.
    public var mouse = false
    /// Keys of the user's own, by the name of the action, such as `list.toggle`.
    public var keys: [String: [KeyPress]] = [:]
    /// How the selected row is shown.
    public var selection = Selection.fill
    /// Which characters are drawn.
    public var charset = CharsetChoice.automatic
    /// Whether the terminal is asked for its background.
    public var detectsBackground = true
    /// The order of the list where no session tells another.
    public var order = ListOrder.catalog
    /// Whether category, filter, selection and order come back at the next start.
    public var restoresSession = true
    /// Whether nothing that apps read may be changed.
    public var isReadOnly = false
    /// The name of the environment that the source belongs to, such as `staging`; empty for none.
    public var environment = ""
    /// Whether the menu is shown as numbered lines and prompts.
    public var isAccessible = false

    /// What holds where nobody prefers anything.
    public init() {}

    /// Preferences as they come.
    public static let standard = Preferences()
}
