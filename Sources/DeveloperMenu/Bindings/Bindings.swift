public import TerminalUI

/// The one table of keys. Footer, help, documentation and the reducer read it; nothing else knows a key.
public enum Bindings {
    /// Every binding, in the order in which the footer prefers them and help lists them.
    public static let all: [Binding] =
        list + moving + filter + options + editor + question + explanation + help

    /// The binding that a key has in a context, if any.
    public static func binding(for key: KeyPress, in context: Binding.Context) -> Binding? {
        lookup[context]?[key]
    }

    /// The bindings of a context, in table order.
    public static func bindings(in context: Binding.Context) -> [Binding] {
        all.filter { $0.context == context }
    }

    private static let lookup: [Binding.Context: [KeyPress: Binding]] = {
        var table: [Binding.Context: [KeyPress: Binding]] = [:]
        for binding in all {
            for key in binding.keys where table[binding.context]?[key] == nil {
                table[binding.context, default: [:]][key] = binding
            }
        }
        return table
    }()

    private static let list: [Binding] = [
        Binding(
            [.character(" ")], .toggle, in: .list, label: "toggle",
            help: "Toggle, or go to the next option.",
            obstacle: \.toggleObstacle),
        Binding(
            [.enter], .open, in: .list, label: "open",
            help: "Open the options, or edit a value that has none.",
            obstacle: \.selectionObstacle),
        Binding(
            [.character("x"), .delete, .backspace], .clear, in: .list, label: "use remote",
            help: "Clear the override and use the remote value again.",
            obstacle: \.clearObstacle),
        Binding(
            [.character("r")], .retry, in: .list, label: "save again",
            help: "Try again to save a change that could not be saved.",
            obstacle: { $0.unsaved.isEmpty ? "Everything is saved." : nil }),
        Binding(
            [.character("/")], .filter, in: .list, label: "filter",
            help: "Filter; also by is: type: cat: layer: and !word."),
        Binding(
            [.character("u")], .undo, in: .list, label: "undo",
            help: "Undo the last change, also one by another program."),
        Binding(
            [.character("m")], .showOverriddenOnly, in: .list, label: "overridden",
            help: "Show overridden flags only, or all again."),
        Binding([.control("r")], .redo, in: .list, help: "Redo what was undone."),
        Binding(
            [.character("i")], .explain, in: .list, label: "explain",
            help: "Explain: the value in every layer, who set it, when.",
            obstacle: \.selectionObstacle),
        Binding(
            [.character("a")], .activate, in: .list, label: "activate",
            help: "Activate fetched remote values.",
            obstacle: { $0.waitingCount == nil ? "No fetched values wait. f fetches." : nil }),
        Binding(
            [.character("f")], .fetch, in: .list, label: "fetch",
            help: "Fetch remote values; they hold once activated.",
            obstacle: { $0.remote == .loading ? "Remote values are being read." : nil }),
        Binding([.character("?"), .function(1)], .help, in: .list, label: "help", help: "Show this help."),
        Binding(
            [.character("q")], .quit, in: .list, label: "quit", help: "Leave; every change is saved when it is made."),
        Binding(
            [.escape], .cancel, in: .list, label: "show all", help: "Show all flags: no filter, nothing hidden by m.",
            obstacle: { $0.isNarrowed ? nil : "All flags are shown. q quits." }),
        Binding(
            [.character("X")], .clearCategory, in: .list,
            help: "Clear all overrides of this category.",
            obstacle: \.clearCategoryObstacle),
        Binding(
            [.character("C")], .clearAll, in: .list,
            help: "Clear all overrides; shows them and asks.",
            obstacle: { $0.overrideCount == 0 ? "Nothing is overridden." : nil }),
    ]

    private static let moving: [Binding] = [
        Binding([.down, .character("j"), .control("n")], .moveDown, in: .list, help: "Move to the next flag."),
        Binding([.up, .character("k"), .control("p")], .moveUp, in: .list, help: "Move to the previous flag."),
        Binding([.pageDown, .control("f"), .control("d")], .pageDown, in: .list, help: "Move one page down."),
        Binding([.pageUp, .control("b"), .control("u")], .pageUp, in: .list, help: "Move one page up."),
        Binding([.home, .character("g")], .moveToFirst, in: .list, help: "Move to the first flag."),
        Binding([.end, .character("G")], .moveToLast, in: .list, help: "Move to the last flag."),
        Binding([.tab, .right, .character("l")], .nextCategory, in: .list, help: "Move to the next category."),
        Binding(
            [.backTab, .left, .character("h")], .previousCategory, in: .list,
            help: "Move to the category's start, then to the one before."),
        Binding(
            [.character("n")], .nextMatch, in: .list, help: "Move to the next match of the filter.",
            obstacle: \.matchObstacle),
        Binding(
            [.character("N")], .previousMatch, in: .list, help: "Move to the previous match of the filter.",
            obstacle: \.matchObstacle),
        Binding([.control("l")], .repaint, in: .list, help: "Redraw the screen."),
        Binding([.control("z")], .suspend, in: .list, help: "Suspend; fg brings the menu back."),
        Binding([.control("c")], .interrupt, in: .list, help: "Leave at once."),
    ]

    private static let filter: [Binding] =
        [
            Binding(
                [.enter], .accept, in: .filter, label: "keep filter", help: "Keep the filter and return to the list."),
            Binding(
                [.escape], .cancel, in: .filter, label: "clear filter",
                help: "Clear the filter; the flag stays selected."),
            Binding([.down, .control("n")], .moveDown, in: .filter, label: "next", help: "Move to the next match."),
            Binding(
                [.up, .control("p")], .moveUp, in: .filter, label: "previous", help: "Move to the previous match."),
        ] + line(in: .filter)

    private static let options: [Binding] =
        [
            Binding(
                [.enter, .character(" ")], .accept, in: .options, label: "choose",
                help: "Choose the option; 1 to 9 choose by number."),
            Binding(
                [.character("x"), .delete, .backspace], .useRemote, in: .options, label: "use remote",
                help: "Clear the override.", obstacle: \.clearObstacle),
            Binding(
                [.character("e")], .edit, in: .options, label: "other value", help: "Write another value.",
                obstacle: \.otherValueObstacle),
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

    private static let editor: [Binding] =
        [
            Binding([.enter], .accept, in: .editor, label: "save", help: "Check the value and save it."),
            Binding([.escape], .cancel, in: .editor, label: "back", help: "Close the editor and change nothing."),
        ] + line(in: .editor)

    private static let question: [Binding] =
        [
            Binding(
                [.character("y")], .accept, in: .question, label: "clear", help: "Do it; undo brings everything back."),
            Binding(
                [.character("n"), .escape, .character("q"), .enter], .cancel, in: .question, label: "keep (default)",
                help: "Change nothing."),
            Binding([.down, .character("j")], .moveDown, in: .question, help: "Scroll the list down."),
            Binding([.up, .character("k")], .moveUp, in: .question, help: "Scroll the list up."),
        ] + program(in: .question)

    private static let explanation: [Binding] =
        [
            Binding(
                [.escape, .character("q"), .character("i"), .enter], .cancel, in: .explanation, label: "back",
                help: "Close the explanation."),
            Binding(
                [.down, .character("j")], .moveDown, in: .explanation, label: "scroll", help: "Scroll down."),
            Binding([.up, .character("k")], .moveUp, in: .explanation, help: "Scroll up."),
            Binding([.pageDown, .character(" ")], .pageDown, in: .explanation, help: "Scroll one page down."),
            Binding([.pageUp], .pageUp, in: .explanation, help: "Scroll one page up."),
        ] + program(in: .explanation)

    private static let help: [Binding] =
        [
            Binding([.enter], .accept, in: .help, label: "run", help: "Run the selected entry."),
            Binding([.escape], .cancel, in: .help, label: "back", help: "Close help."),
            Binding(
                [.down, .control("n"), .tab], .moveDown, in: .help, label: "next", help: "Move to the next entry."),
            Binding(
                [.up, .control("p"), .backTab], .moveUp, in: .help, label: "previous",
                help: "Move to the previous entry."),
        ] + line(in: .help)

    /// Editing one line of text is the same wherever there is one.
    private static func line(in context: Binding.Context) -> [Binding] {
        [
            Binding([.left, .control("b")], .moveLeft, in: context, help: "Move the cursor left."),
            Binding([.right, .control("f")], .moveRight, in: context, help: "Move the cursor right."),
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

    /// What always works, whatever is open.
    private static func program(in context: Binding.Context) -> [Binding] {
        [
            Binding([.control("l")], .repaint, in: context, help: "Redraw the screen."),
            Binding([.control("z")], .suspend, in: context, help: "Suspend; fg brings the menu back."),
            Binding([.control("c")], .interrupt, in: context, help: "Leave at once."),
        ]
    }
}
