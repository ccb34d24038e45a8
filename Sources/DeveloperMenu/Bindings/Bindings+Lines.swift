import TerminalUI

// Where text is typed.
extension Bindings {
    static let filter: [Binding] =
        [
            Binding(
                [.enter], .accept, in: .filter, label: "keep filter", help: "Keep the filter and return to the list."),
            Binding(
                [.escape], .cancel, in: .filter, label: "clear filter",
                help: "Clear the filter; the flag stays selected."),
            Binding(
                [.tab], .complete, in: .filter, label: "complete",
                help: "Complete a word behind is: type: cat: layer:.",
                obstacle: \.completionObstacle),
            Binding([.down, .control("n")], .moveDown, in: .filter, label: "next", help: "Move to the next match."),
            Binding(
                [.up, .control("p")], .moveUp, in: .filter, label: "previous", help: "Move to the previous match."),
        ] + line(in: .filter)

    /// Editing one line of text is the same wherever there is one.
    static func line(in context: Binding.Context) -> [Binding] {
        [
            Binding([.left, .control("b")], .moveLeft, in: context, help: "Move the cursor left."),
            Binding([.right, .control("f")], .moveRight, in: context, help: "Move the cursor right."),
            Binding([.controlRight, .alt("f")], .nextWord, in: context, help: "Move the cursor behind the next word."),
            Binding([.controlLeft, .alt("b")], .previousWord, in: context, help: "Move the cursor before the word."),
            Binding([.home, .control("a")], .moveToFirst, in: context, help: "Move the cursor to the start."),
            Binding([.end, .control("e")], .moveToLast, in: context, help: "Move the cursor to the end."),
            Binding(
                [.backspace, .control("h")], .deleteBackward, in: context,
                help: "Delete the character before the cursor."),
            Binding(
                [.delete, .control("d")], .deleteForward, in: context, help: "Delete the character under the cursor."),
            Binding([.control("w")], .deleteWord, in: context, help: "Delete the word before the cursor."),
            Binding([.control("u")], .deleteToStart, in: context, help: "Delete everything before the cursor."),
            Binding([.control("k")], .deleteToEnd, in: context, help: "Delete everything after the cursor."),
        ] + program(in: context)
    }

    /// What always works, whatever is open. The list has help in a place of its own, and help is help already.
    static func program(in context: Binding.Context) -> [Binding] {
        [
            Binding(
                [.control("l")], .repaint, in: context, help: "Redraw the screen.",
                words: ["repaint", "refresh screen", "clear screen"]),
            Binding(
                [.control("z")], .suspend, in: context, help: "Suspend; fg brings the menu back.",
                words: ["background", "stop", "shell"]),
            Binding(
                [.control("c")], .interrupt, in: context, help: "Leave at once.",
                words: ["kill", "abort", "exit at once"]),
        ]
            + ([.help, .list].contains(context)
                ? [] : [Binding([.function(1)], .help, in: context, help: "Show this help.")])
    }
}
