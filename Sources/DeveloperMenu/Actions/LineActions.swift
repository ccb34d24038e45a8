import TerminalUI

// Actions of lines of text, and actions that work in every part of the menu.
extension ActionTable {
    /// Actions of the filter line.
    static let filter: [Action] = [
        Action(.accept, [.enter], label: "keep filter", help: "Keep the filter and return to the list.") {
            $0.closeSheet()
        },
        Action(
            .cancel, [.escape], label: "clear filter", help: "Reset the filter; the flag stays selected.", .isWayOut,
            rank: .always
        ) { $0.clearFilter() },
        Action(
            .toggle, [.tab], label: "toggle", help: "Toggle the selected flag; the filter stays.", .changesValues,
            rank: .everyday, disabledReason: { $0.toggleReason }
        ) { $0.toggleSelected() },
        Action(
            "complete", [.right, .control("f")], help: "Move right; at the end, complete is: type: cat: layer:."
        ) { $0.inList { $0.completeFilter() } },
        .moving(.down, [.down, .control("n")], label: "next", help: "Move to the next match."),
        .moving(.up, [.up, .control("p")], label: "previous", help: "Move to the previous match."),
    ]

    /// Actions that edit a line of text, the same in every part that has one.
    static let line: [Action] = [
        edit(.moveLeft, [.left, .control("b")], "Move the cursor left."),
        edit(.moveRight, [.right, .control("f")], "Move the cursor right."),
        edit(.nextWord, [.controlRight, .alt("f")], "Move the cursor after the next word."),
        edit(.previousWord, [.controlLeft, .alt("b")], "Move the cursor before the word."),
        edit(.moveToFirst, [.home, .control("a")], "Move the cursor to the start."),
        edit(.moveToLast, [.end, .control("e")], "Move the cursor to the end."),
        edit(.deleteBackward, [.backspace, .control("h")], "Delete the character before the cursor."),
        edit(.deleteForward, [.delete, .control("d")], "Delete the character under the cursor."),
        edit(.deleteWord, [.control("w")], "Delete the word before the cursor."),
        edit(.deleteToStart, [.control("u")], label: "empty", "Delete everything before the cursor."),
        edit(.deleteToEnd, [.control("k")], "Delete everything after the cursor."),
    ]

    /// ``line`` without moving right, which also completes in the filter line.
    static let lineOfFilter = line.filter { $0.id.rawValue != LineEdit.moveRight.rawValue }

    /// - Parameter label: the label in the footer of the value editor, where the line is not empty at first.
    private static func edit(
        _ edit: LineEdit, _ keys: [KeyPress], label: String? = nil, _ help: String
    ) -> Action {
        Action(
            Action.ID(rawValue: edit.rawValue), keys, label: label, help: help, isOffered: { $0.part == .editor }
        ) { $0.edit(edit) }
    }

    /// Actions that work in every part of the menu.
    static let program: [Action] = [
        Action(
            "repaint", [.control("l")], help: "Redraw the screen.",
            words: ["repaint", "refresh screen", "clear screen"], [.needsScreen, .worksUnseen, .isImmediate]
        ) { _ in [.repaint] },
        Action(
            "suspend", [.control("z")], help: "Suspend; fg brings the menu back.",
            words: ["background", "stop", "shell"], [.worksUnseen, .isImmediate]
        ) { _ in [.suspend] },
        Action(
            .interrupt, [.control("c")], help: "Quit immediately.", words: ["kill", "abort", "exit immediately"],
            [.worksUnseen, .isImmediate, .isWayOut]
        ) { $0.interrupt() },
    ]

    /// The actions of ``program``, and help: for parts other than the list and help itself.
    static let programAndHelp = program + [help(["?", .function(1)])]

    /// The same for parts in which letters are typed.
    static let programAndHelpWhileTyping = program + [help([.function(1)])]

    private static func help(_ keys: [KeyPress]) -> Action {
        Action(.help, keys, help: "Show this help.", .isWayOut, rank: .always) {
            $0.open(ActionSheet(isHelp: true, in: $0))
        }
    }
}
