public import FlagModel
public import TerminalUI

/// Preferences of a user, a project or one run. ``Preference`` reads and writes them.
public struct Preferences: Sendable, Equatable {
    /// The styles of the menu.
    public enum ThemeChoice: String, Sendable, CaseIterable {
        /// Dark or light, as the terminal reports its background.
        case automatic = "auto"
        /// For dark backgrounds.
        case dark
        /// For light backgrounds.
        case light
        /// Without dim text, with strong fills.
        case highContrast
        /// No colours.
        case mono
    }

    /// The characters to draw.
    public enum CharsetChoice: String, Sendable, CaseIterable {
        /// The characters that the locale supports.
        case automatic = "auto"
        /// Only ASCII, in every locale.
        case ascii
    }

    /// The styles of the menu.
    public var theme = ThemeChoice.automatic
    /// Whether the menu handles the mouse. If it does, the terminal selects text only with Shift.
    public var mouse = false
    /// The user's own keys, by the name of an action such as `list.toggle`.
    public var keys: [String: [KeyPress]] = [:]
    /// The characters to draw.
    public var charset = CharsetChoice.automatic
    /// Whether the menu asks the terminal if its background is dark or light.
    public var detectsBackground = true
    /// The order of the list if no stored session is restored.
    public var order = ListOrder.catalog
    /// Whether the next start restores selection, filter, order, pins, theme and mouse.
    public var restoresSession = true
    /// Whether the menu refuses changes of values that apps read.
    public var isReadOnly = false
    /// The name of the source's environment, such as `staging`; empty for none.
    public var environment = ""
    /// Whether the menu is shown as numbered lines and prompts.
    public var isAccessible = false

    /// The flags whose values are not shared.
    public var secrets = SecretFlags()

    /// The standard preferences.
    public init() {}

    /// The standard preferences.
    public static let standard = Preferences()
}
