import TerminalUI

// What lies over the list.
extension Bindings {
    static let options: [Binding] = [
        Binding([.enter, " "], .accept, label: "choose", help: "Choose the option; 1 to 9 choose by number."),
        Binding(
            ["x", .delete, .backspace], .useRemote, label: "use remote", help: "Clear the override.",
            obstacle: \.clearObstacle),
        Binding(
            ["e"], .edit, label: "other value", help: "Write another value; asks where it is no option.",
            obstacle: \.otherValueObstacle),
        Binding([.escape, "q"], .cancel, label: "back", help: "Close the list and change nothing."),
        Binding([.down, "j", .control("n")], .moveDown, help: "Move to the next option."),
        Binding([.up, "k", .control("p")], .moveUp, help: "Move to the previous option."),
        Binding([.home, "g"], .moveToFirst, help: "Move to the first option."),
        Binding([.end, "G"], .moveToLast, help: "Move to the last option."),
    ]

    static let editor: [Binding] = [
        Binding([.enter, .control("s")], .accept, label: "save", help: "Check the value and save it."),
        Binding([.escape], .cancel, label: "back", help: "Close the editor and change nothing."),
        Binding(
            [.up, .control("p")], .moveUp, label: "one more", help: "Make a whole number one larger.",
            obstacle: \.stepObstacle),
        Binding(
            [.down, .control("n")], .moveDown, label: "one less", help: "Make a whole number one smaller.",
            obstacle: \.stepObstacle),
        Binding([.control("g")], .editOutside, label: "$EDITOR", help: "Write the value in your own editor."),
        Binding([.control("_")], .undo, help: "Undo the last typing.", obstacle: \.typingObstacle),
    ]

    static let json: [Binding] = [
        Binding([.control("s"), .function(2)], .accept, label: "save", help: "Check the JSON and save it."),
        Binding([.escape], .cancel, label: "back", help: "Close the editor; asks where you have typed."),
        Binding([.tab], .fold, label: "fold", help: "Fold what opens on the line, or show it again."),
        Binding([.control("g")], .editOutside, label: "$EDITOR", help: "Write the value in your own editor."),
        Binding([.enter], .insertLine, label: "new line", help: "Start a new line, indented."),
        Binding([.backTab], .foldAll, help: "Fold all that is nested, or show everything."),
        Binding([.up, .control("p")], .moveUp, help: "Move the cursor up."),
        Binding([.down, .control("n")], .moveDown, help: "Move the cursor down."),
        Binding([.pageUp], .pageUp, help: "Move the cursor one page up."),
        Binding([.pageDown], .pageDown, help: "Move the cursor one page down."),
        Binding([.control("_")], .undo, help: "Undo the last typing.", obstacle: \.typingObstacle),
    ]

    static let otherValue: [Binding] = [
        Binding(["y"], .accept, label: "set it anyway", help: "Set the value anyway."),
        Binding(
            ["n", .escape, "q", .enter], .cancel, label: "keep editing (default)",
            help: "Go back to the editor; nothing is set."),
    ]

    static let question: [Binding] = [
        Binding(["y"], .accept, label: "yes", help: "Do it; one undo takes all of it back."),
        Binding(["n", .escape, "q", .enter], .cancel, label: "no (default)", help: "Change nothing."),
        Binding([.down, "j"], .moveDown, help: "Scroll the list down."),
        Binding([.up, "k"], .moveUp, help: "Scroll the list up."),
        Binding([.pageDown, " "], .pageDown, help: "Scroll the list one page down."),
        Binding([.pageUp], .pageUp, help: "Scroll the list one page up."),
        Binding([.home, "g"], .moveToFirst, help: "Scroll the list to its start."),
        Binding([.end, "G"], .moveToLast, help: "Scroll the list to its end."),
    ]

    static let explanation: [Binding] = [
        Binding([.down, "j"], .moveDown, label: "scroll", help: "Scroll down.", obstacle: \.scrollObstacle),
        Binding([.enter], .open, label: "change", help: "Open the options, or edit a value that has none."),
        Binding(
            ["x", .delete, .backspace], .clear, label: "clear",
            help: "Clear the override and use the remote value again.", obstacle: \.clearObstacle),
        Binding(
            ["n", .right, "l"], .nextFlag, label: "next flag", help: "Explain the next flag of the list.",
            obstacle: { $0.stepObstacle(by: 1) }),
        Binding(
            ["N", .left, "h"], .previousFlag, label: "previous", help: "Explain the flag before.",
            obstacle: { $0.stepObstacle(by: -1) }),
        Binding(["y"], .copy, label: "copy", help: "Copy the key, the value, or the command that does it."),
        Binding(["u"], .undo, help: "Undo the last change, also one by another program."),
        Binding([.escape, "q", "i"], .cancel, label: "back", help: "Close the explanation."),
        Binding([.up, "k"], .moveUp, help: "Scroll up.", obstacle: \.scrollObstacle),
        Binding([.pageDown, " "], .pageDown, help: "Scroll one page down.", obstacle: \.scrollObstacle),
        Binding([.pageUp], .pageUp, help: "Scroll one page up.", obstacle: \.scrollObstacle),
        Binding(
            [.tab], .fold, label: "whole JSON", help: "Show long JSON whole, or fold it again.",
            obstacle: \.foldObstacle),
    ]
}
