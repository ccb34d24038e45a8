import TerminalUI

// Where text is typed.
extension Bindings {
    static let filter: [Binding] = [
        Binding([.enter], .accept, label: "keep filter", help: "Keep the filter and return to the list."),
        Binding([.escape], .cancel, label: "clear filter", help: "Clear the filter; the flag stays selected."),
        Binding(
            [.tab], .complete, label: "complete", help: "Complete a word behind is: type: cat: layer:.",
            obstacle: \.completionObstacle),
        Binding([.down, .control("n")], .moveDown, label: "next", help: "Move to the next match."),
        Binding([.up, .control("p")], .moveUp, label: "previous", help: "Move to the previous match."),
    ]

    /// Editing one line of text is the same wherever there is one.
    static let line: [Binding] = [
        Binding([.left, .control("b")], .moveLeft, help: "Move the cursor left."),
        Binding([.right, .control("f")], .moveRight, help: "Move the cursor right."),
        Binding([.controlRight, .alt("f")], .nextWord, help: "Move the cursor behind the next word."),
        Binding([.controlLeft, .alt("b")], .previousWord, help: "Move the cursor before the word."),
        Binding([.home, .control("a")], .moveToFirst, help: "Move the cursor to the start."),
        Binding([.end, .control("e")], .moveToLast, help: "Move the cursor to the end."),
        Binding([.backspace, .control("h")], .deleteBackward, help: "Delete the character before the cursor."),
        Binding([.delete, .control("d")], .deleteForward, help: "Delete the character under the cursor."),
        Binding([.control("w")], .deleteWord, help: "Delete the word before the cursor."),
        Binding([.control("u")], .deleteToStart, help: "Delete everything before the cursor."),
        Binding([.control("k")], .deleteToEnd, help: "Delete everything after the cursor."),
    ]

    /// What always works, whatever is open.
    static let program: [Binding] = [
        Binding(
            [.control("l")], .repaint, help: "Redraw the screen.",
            words: ["repaint", "refresh screen", "clear screen"]),
        Binding(
            [.control("z")], .suspend, help: "Suspend; fg brings the menu back.",
            words: ["background", "stop", "shell"]),
        Binding([.control("c")], .interrupt, help: "Leave at once.", words: ["kill", "abort", "exit at once"]),
    ]

    /// The same where help is neither a key of the part's own nor open already.
    static let programAndHelp = program + [Binding([.function(1)], .help, help: "Show this help.")]
}
