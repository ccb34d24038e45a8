import FlagModel
public import FlagQueries

/// The arrangement of the list that is restored at the next start. A filter is not: keys for a flag would change one
/// that the filter of yesterday selects.
public struct MenuSession: Sendable, Equatable {
    /// The key of the selected flag; its category follows from it.
    public var selectedKey: String?
    /// The order that the user chose; `nil` for the order that fits the document.
    public var order: ListOrder?
    /// The names of folded groups.
    public var folded: Set<String>
    /// The keys of pinned flags, in the order in which they were pinned.
    public var pins: [String]

    /// The theme that the user switched to; `nil` for the theme of the preferences.
    public var theme: Preferences.ThemeChoice?
    /// Whether the user switched the mouse on or off; `nil` for the setting of the preferences.
    public var mouse: Bool?

    /// An arrangement. The defaults are the arrangement of the first start.
    public init(
        selectedKey: String? = nil, order: ListOrder? = nil, folded: Set<String> = [], pins: [String] = [],
        theme: Preferences.ThemeChoice? = nil, mouse: Bool? = nil
    ) {
        self.theme = theme
        self.mouse = mouse
        self.selectedKey = selectedKey
        (self.order, self.folded) = (order, folded)
        self.pins = pins
    }
}

extension MenuState {
    /// The current arrangement.
    public var session: MenuSession {
        MenuSession(
            selectedKey: list.selectedKey?.string, order: list.chosenOrder, folded: list.folded, pins: list.pins,
            theme: settings.chosenTheme, mouse: settings.chosenMouse)
    }
}
