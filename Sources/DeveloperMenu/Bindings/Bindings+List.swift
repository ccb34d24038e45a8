import TerminalUI

// The list of flags.
extension Bindings {
    static let list: [Binding] = [
        Binding(
            [.character(" ")], .toggle, in: .list, label: "toggle",
            help: "Toggle, or go to the next option.",
            words: ["toggle", "switch", "flip", "next", "enable", "disable", "on", "off"],
            obstacle: \.toggleObstacle),
        Binding(
            [.enter], .open, in: .list, label: "open",
            help: "Open the options, or edit a value that has none.",
            words: ["set", "edit", "change", "value", "options", "editor"],
            obstacle: \.selectionObstacle),
        Binding(
            [.character("x"), .delete, .backspace], .clear, in: .list, label: "clear",
            help: "Clear the override and use the remote value again.",
            words: ["reset", "use remote", "revert", "restore", "unset", "remove", "delete", "default"],
            obstacle: \.clearObstacle),
        Binding(
            [.character("r")], .retry, in: .list, label: "save again",
            help: "Try again to save a change that could not be saved.", words: ["save", "write"],
            obstacle: { $0.unsaved.isEmpty ? "Everything is saved." : nil }),
        Binding(
            [.character("/")], .filter, in: .list, label: "filter",
            help: "Filter; also by is: type: cat: layer: and !word.",
            words: ["search", "find", "grep", "look for"]),
        Binding(
            [.character("u")], .undo, in: .list, label: "undo",
            help: "Undo the last change, also one by another program.", words: ["revert", "restore"]),
        Binding(
            [.character("m")], .showOverriddenOnly, in: .list, label: "overridden",
            help: "Show overridden flags only, or all again.",
            words: ["modified", "changed", "diff", "mine", "changes", "overrides"]),
        Binding(
            [.character("p")], .pin, in: .list, help: "Pin the flag on top, or let it go back.",
            words: ["star", "favourite", "favorite", "bookmark", "top"],
            obstacle: \.selectionObstacle),
        Binding(
            [.character("o")], .changeOrder, in: .list,
            help: "Change the order: catalog, changed first, by name.", words: ["sort", "order by"]),
        Binding([.control("r")], .redo, in: .list, help: "Redo what was undone.", words: ["repeat", "again"]),
        Binding(
            [.character("i")], .explain, in: .list, label: "explain",
            help: "Explain: the value in every layer, who set it, when.",
            words: ["info", "inspect", "details", "why", "diff", "layers", "source"],
            obstacle: \.selectionObstacle),
        Binding(
            [.character("a")], .activate, in: .list, label: "activate",
            help: "Activate fetched remote values.", words: ["apply", "publish"],
            obstacle: { $0.waitingCount == nil ? "No fetched values wait. \($0.keyWord(of: .fetch)) fetches." : nil }),
        Binding(
            [.character("f")], .fetch, in: .list, label: "fetch",
            help: "Fetch remote values; they hold once activated.",
            words: ["refresh", "reload", "update", "pull", "sync"],
            obstacle: \.fetchObstacle),
        Binding(
            [.character(":")], .palette, in: .list, label: "actions",
            help: "Find any action by its name and run it.", words: ["actions", "commands", "menu", "run"]),
        Binding(
            [.character("?"), .function(1)], .help, in: .list, label: "help", help: "Show this help.",
            words: ["keys", "shortcuts", "bindings", "manual", "usage"]),
        Binding(
            [.character("q")], .quit, in: .list, label: "quit", help: "Leave; every change is saved when it is made.",
            words: ["exit", "close"]),
        Binding(
            [.escape], .cancel, in: .list, label: "show all",
            help: "Cancel a fetch; else show all flags: no filter, no m.",
            words: ["reset filter", "unfilter", "everything", "cancel fetch", "stop", "abort"],
            obstacle: {
                $0.isNarrowed || $0.fetch != nil ? nil : "All flags are shown. \($0.keyWord(of: .quit)) quits."
            }),
        Binding(
            [.character("X")], .clearCategory, in: .list,
            help: "Clear all overrides of this category.", words: ["reset category", "reset group", "revert category"],
            obstacle: \.clearCategoryObstacle),
        Binding(
            [.character("C")], .clearAll, in: .list,
            help: "Clear all overrides; shows them and asks.",
            words: ["reset all", "reset everything", "revert all", "restore all", "factory"],
            obstacle: { $0.overrideCount == 0 ? "Nothing is overridden." : nil }),
    ]

    static let moving: [Binding] =
        [
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
                words: ["find next", "search next"],
                obstacle: \.matchObstacle),
            Binding(
                [.character("N")], .previousMatch, in: .list, help: "Move to the previous match of the filter.",
                words: ["find previous", "search previous"],
                obstacle: \.matchObstacle),
            Binding(
                [.character("T")], .changeTheme, in: .list,
                help: "Switch the theme: dark, light, high contrast, mono.",
                words: ["theme", "colours", "colors", "color", "background"]),
            Binding(
                [.control("t")], .switchMouse, in: .list, help: "Switch the mouse on or off.",
                words: ["click", "pointer", "wheel"]),
        ] + program(in: .list)
}
