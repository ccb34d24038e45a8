import TerminalUI

// What lies over the list.
extension Bindings {
    static let options: [Binding] =
        [
            Binding(
                [.enter, .character(" ")], .accept, in: .options, label: "choose",
                help: "Choose the option; 1 to 9 choose by number."),
            Binding(
                [.character("x"), .delete, .backspace], .useRemote, in: .options, label: "use remote",
                help: "Clear the override.", obstacle: \.clearObstacle),
            Binding(
                [.character("e")], .edit, in: .options, label: "other value",
                help: "Write another value; asks where it is no option.", obstacle: \.otherValueObstacle),
            Binding(
                [.escape, .character("q")], .cancel, in: .options, label: "back",
                help: "Close the list and change nothing."),
            Binding(
                [.down, .character("j"), .control("n")], .moveDown, in: .options, help: "Move to the next option."),
            Binding(
                [.up, .character("k"), .control("p")], .moveUp, in: .options, help: "Move to the previous option."),
            Binding([.home, .character("g")], .moveToFirst, in: .options, help: "Move to the first option."),
            Binding([.end, .character("G")], .moveToLast, in: .options, help: "Move to the last option."),
        ] + program(in: .options)

    static let editor: [Binding] =
        [
            Binding(
                [.enter, .control("s")], .accept, in: .editor, label: "save", help: "Check the value and save it."),
            Binding([.escape], .cancel, in: .editor, label: "back", help: "Close the editor and change nothing."),
            Binding(
                [.up, .control("p")], .moveUp, in: .editor, label: "one more", help: "Make a whole number one larger.",
                obstacle: \.stepObstacle),
            Binding(
                [.down, .control("n")], .moveDown, in: .editor, label: "one less",
                help: "Make a whole number one smaller.", obstacle: \.stepObstacle),
            Binding(
                [.control("g")], .editOutside, in: .editor, label: "$EDITOR",
                help: "Write the value in your own editor."),
            Binding([.control("_")], .undo, in: .editor, help: "Undo the last typing.", obstacle: \.typingObstacle),
        ] + line(in: .editor)

    static let json: [Binding] =
        [
            Binding(
                [.control("s"), .function(2)], .accept, in: .json, label: "save", help: "Check the JSON and save it."),
            Binding([.escape], .cancel, in: .json, label: "back", help: "Close the editor; asks where you have typed."),
            Binding([.tab], .fold, in: .json, label: "fold", help: "Fold what opens on the line, or show it again."),
            Binding(
                [.control("g")], .editOutside, in: .json, label: "$EDITOR", help: "Write the value in your own editor."),
            Binding([.enter], .insertLine, in: .json, label: "new line", help: "Start a new line, indented."),
            Binding([.backTab], .foldAll, in: .json, help: "Fold all that is nested, or show everything."),
            Binding([.up, .control("p")], .moveUp, in: .json, help: "Move the cursor up."),
            Binding([.down, .control("n")], .moveDown, in: .json, help: "Move the cursor down."),
            Binding([.pageUp], .pageUp, in: .json, help: "Move the cursor one page up."),
            Binding([.pageDown], .pageDown, in: .json, help: "Move the cursor one page down."),
            Binding([.control("_")], .undo, in: .json, help: "Undo the last typing.", obstacle: \.typingObstacle),
        ] + line(in: .json)

    static let otherValue: [Binding] =
        [
            Binding([.character("y")], .accept, in: .otherValue, label: "set it anyway", help: "Set the value anyway."),
            Binding(
                [.character("n"), .escape, .character("q"), .enter], .cancel, in: .otherValue,
                label: "keep editing (default)", help: "Go back to the editor; nothing is set."),
        ] + program(in: .otherValue)

    static let question: [Binding] =
        [
            Binding(
                [.character("y")], .accept, in: .question, label: "yes", help: "Do it; one undo takes all of it back."),
            Binding(
                [.character("n"), .escape, .character("q"), .enter], .cancel, in: .question, label: "no (default)",
                help: "Change nothing."),
            Binding([.down, .character("j")], .moveDown, in: .question, help: "Scroll the list down."),
            Binding([.up, .character("k")], .moveUp, in: .question, help: "Scroll the list up."),
            Binding([.pageDown, .character(" ")], .pageDown, in: .question, help: "Scroll the list one page down."),
            Binding([.pageUp], .pageUp, in: .question, help: "Scroll the list one page up."),
            Binding([.home, .character("g")], .moveToFirst, in: .question, help: "Scroll the list to its start."),
            Binding([.end, .character("G")], .moveToLast, in: .question, help: "Scroll the list to its end."),
        ] + program(in: .question)

    static let explanation: [Binding] =
        [
            Binding(
                [.down, .character("j")], .moveDown, in: .explanation, label: "scroll", help: "Scroll down.",
                obstacle: \.scrollObstacle),
            Binding(
                [.enter], .open, in: .explanation, label: "change",
                help: "Open the options, or edit a value that has none."),
            Binding(
                [.character("x"), .delete, .backspace], .clear, in: .explanation, label: "clear",
                help: "Clear the override and use the remote value again.", obstacle: \.clearObstacle),
            Binding(
                [.character("n"), .right, .character("l")], .nextFlag, in: .explanation, label: "next flag",
                help: "Explain the next flag of the list.", obstacle: { $0.stepObstacle(by: 1) }),
            Binding(
                [.character("N"), .left, .character("h")], .previousFlag, in: .explanation, label: "previous",
                help: "Explain the flag before.", obstacle: { $0.stepObstacle(by: -1) }),
            Binding(
                [.character("y")], .copy, in: .explanation, label: "copy",
                help: "Copy the key, the value, or the command that does it."),
            Binding(
                [.character("u")], .undo, in: .explanation, help: "Undo the last change, also one by another program."),
            Binding(
                [.escape, .character("q"), .character("i")], .cancel, in: .explanation, label: "back",
                help: "Close the explanation."),
            Binding(
                [.up, .character("k")], .moveUp, in: .explanation, help: "Scroll up.", obstacle: \.scrollObstacle),
            Binding(
                [.pageDown, .character(" ")], .pageDown, in: .explanation, help: "Scroll one page down.",
                obstacle: \.scrollObstacle),
            Binding(
                [.pageUp], .pageUp, in: .explanation, help: "Scroll one page up.", obstacle: \.scrollObstacle),
            Binding(
                [.tab], .fold, in: .explanation, label: "whole JSON", help: "Show long JSON whole, or fold it again.",
                obstacle: \.foldObstacle),
        ] + program(in: .explanation)
}
