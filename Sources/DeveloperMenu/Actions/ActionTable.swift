/// Every action of the menu. The footer, help, the palette, line mode, the manual and the reducer read this table; keys
/// are defined nowhere else.
public enum ActionTable {
    /// Every action, in the order of the footer and of help.
    public static let all: [Action] = parts.flatMap { part, actions in
        actions.map { action in
            var action = action
            action.part = part
            return action
        }
    }

    /// The parts of the menu with their actions: the list and its filter line, then every sheet.
    static let parts: [(part: MenuPart, actions: [Action])] =
        [(.list, list + byName + moving + program), (.filter, filter + lineOfFilter + programAndHelpWhileTyping)]
        + MenuMode.sheets.flatMap { $0.parts }

    /// The action with a name such as `list.toggle`; `nil` if there is none.
    static func named(_ name: String) -> Action? { all.first { $0.name == name } }
}
