import FlagModel

/// A part of the menu that has its own actions: the list, its filter line, or a sheet. `Sheet.parts` declares the parts
/// of a sheet.
public struct MenuPart: Sendable, Hashable, CustomStringConvertible {
    /// The part's name in a configuration, such as `list` in `list.toggle`.
    public let id: String
    /// The heading of the part in help.
    public let heading: String

    /// The same as ``id``.
    public var description: String { id }

    /// The list of flags: the main screen, if no sheet is open.
    public static let list = MenuPart(id: "list", heading: "In the list")
    /// The filter line of the list, while it is open for typing.
    public static let filter = MenuPart(id: "filter", heading: "While filtering")

    /// Every part, in the order of help.
    public static var all: [MenuPart] { ActionTable.parts.map(\.part) }

    /// Whether typed characters are text in this part, so that they cannot be keys of actions.
    public var takesText: Bool { Keymap.standard.actions(in: self).contains { $0.id == "deleteBackward" } }
}
