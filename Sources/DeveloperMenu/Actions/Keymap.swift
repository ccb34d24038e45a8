public import TerminalUI

/// The table of actions with the user's keys.
public struct Keymap: Sendable, Equatable {
    /// Every action, in table order.
    public let all: [Action]

    /// The standard keys.
    public static let standard = Keymap(all: ActionTable.all)

    /// The action that a key runs in a part of the menu, if any.
    public func action(for key: KeyPress, in part: MenuPart) -> Action? {
        // If two actions have the same key, the first in the table wins.
        all.first { $0.part == part && $0.keys.contains(key) }
    }

    /// The action with an id in a part of the menu, if any.
    public func action(_ id: Action.ID, in part: MenuPart) -> Action? {
        all.first { $0.part == part && $0.id == id }
    }

    /// The actions of a part of the menu, in table order.
    public func actions(in part: MenuPart) -> [Action] {
        all.filter { $0.part == part }
    }

    /// Two keymaps are equal if all actions have the same keys in both.
    public static func == (left: Keymap, right: Keymap) -> Bool {
        left.all.elementsEqual(right.all) { $0.keys == $1.keys }
    }
}
