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
    public var takesText: Bool { ActionTable.actions(in: self).contains { $0.id == "deleteBackward" } }

    // The parts of the menu that are sheets, or states of sheets.

    /// The option list of one flag.
    public static let options = MenuPart(id: "options", heading: "In an option list")
    /// The dialog to confirm a value that is not among the options.
    public static let otherValue = MenuPart(id: "otherValue", heading: "When a value is not among the options")
    /// The editor of a value on one line.
    public static let editor = MenuPart(id: "editor", heading: "While editing a value")
    /// The editor of JSON.
    public static let json = MenuPart(id: "json", heading: "While editing JSON")
    /// The sheet that asks what to reset.
    public static let reset = MenuPart(id: "reset", heading: "In the reset sheet")
    /// The dialog that confirms a bulk action.
    public static let dialog = MenuPart(id: "dialog", heading: "In a dialog")
    /// The sheet that explains one flag.
    public static let explanation = MenuPart(id: "explanation", heading: "In an explanation")
    /// The help sheet.
    public static let help = MenuPart(id: "help", heading: "In this help")
    /// The command palette.
    public static let palette = MenuPart(id: "palette", heading: "In the command palette")
    /// The sheet that copies the key, the value or a command of a flag.
    public static let copy = MenuPart(id: "copy", heading: "In the copy sheet")
    /// The sheet of evaluation contexts and conditions.
    public static let context = MenuPart(id: "context", heading: "In the context sheet")
    /// The status sheet: sources, messages, store, apps and checks.
    public static let status = MenuPart(id: "status", heading: "In the status")
    /// The history of overrides.
    public static let history = MenuPart(id: "history", heading: "In the history")
    /// The filter line of the history.
    public static let historyFilter = MenuPart(id: "historyFilter", heading: "While filtering the history")
    /// The sheet to open another document, source or app.
    public static let open = MenuPart(id: "open", heading: "In the open sheet")
    /// A prompt for the input of an action, such as the name of a file.
    public static let prompt = MenuPart(id: "prompt", heading: "In a prompt")
}
