import FlagModel

/// A part of the menu with actions of its own: the list, its filter line, and every sheet. Each sheet declares its own.
public struct MenuPart: Sendable, Hashable, CustomStringConvertible {
    /// Its name in a configuration.
    public let id: String
    /// The heading of this part in help.
    public let heading: String
    /// The action of the list that opens this part; `nil` for the list itself.
    let opener: Action.ID?

    /// The same as ``id``.
    public var description: String { id }

    /// The heading inside of a sentence, such as `in the list`.
    var inSentence: String { heading.decapitalized }
}

extension MenuPart {
    /// The list of flags, and with it the whole main screen.
    public static let list = MenuPart(id: "list", heading: "In the list", opener: nil)
    /// The filter line while it is typed.
    public static let filter = MenuPart(id: "filter", heading: "While filtering", opener: .filter)

    /// Every part, in the order of help.
    public static var all: [MenuPart] { ActionTable.parts.map(\.part) }

    /// Whether characters are typed as text, so that they cannot be keys.
    public var takesText: Bool { ActionTable.actions(in: self).contains { $0.id == "deleteBackward" } }
}
