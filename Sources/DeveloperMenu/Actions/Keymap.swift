public import TerminalUI

/// Which key asks for what: the table of actions, with the keys that this user has.
public struct Keymap: Sendable, Equatable {
    /// Every action, in table order.
    public let all: [Action]

    /// The keys of a user who has changed none.
    public static let standard = Keymap(all: ActionTable.all)

    /// The action that a key has in a part of the menu, if any.
    public func action(for key: KeyPress, in part: MenuPart) -> Action? {
        // Of two actions with one key the first in the table has it.
        all.first { $0.part == part && $0.keys.contains(key) }
    }

    /// The action of a name in a part of the menu, if any.
    public func action(_ id: Action.ID, in part: MenuPart) -> Action? {
        all.first { $0.part == part && $0.id == id }
    }

    /// The actions of a part of the menu, in table order.
    public func actions(in part: MenuPart) -> [Action] {
        all.filter { $0.part == part }
    }

    /// Two keymaps are one when all actions have the same keys in both.
    public static func == (left: Keymap, right: Keymap) -> Bool {
        left.all.elementsEqual(right.all) { $0.keys == $1.keys }
    }
}
