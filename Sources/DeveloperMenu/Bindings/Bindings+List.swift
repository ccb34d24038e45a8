import TerminalUI

// The list of flags.
extension Bindings {
    static let list: [Binding] = [
        Binding(
            [" "], .toggle, label: "toggle", help: "Toggle, or go to the next option.",
            words: ["toggle", "switch", "flip", "next", "enable", "disable", "on", "off"], obstacle: \.toggleObstacle),
        Binding(
            [.enter], .open, label: "open", help: "Open the options, or edit a value that has none.",
            words: ["set", "edit", "change", "value", "options", "editor"], obstacle: \.selectionObstacle),
        Binding(
            ["x", .delete, .backspace], .clear, label: "clear",
            help: "Clear the override and use the remote value again.",
            words: ["reset", "use remote", "revert", "restore", "unset", "remove", "delete", "default"],
            obstacle: \.clearObstacle),
        Binding(
            ["r"], .retry, label: "save again", help: "Try again to save a change that could not be saved.",
            words: ["save", "write"], obstacle: { $0.store.unsaved.isEmpty ? "Everything is saved." : nil }),
        Binding(
            ["/"], .filter, label: "filter", help: "Filter; also by is: type: cat: layer: and !word.",
            words: ["search", "find", "grep", "look for"]),
        Binding(
            ["u"], .undo, label: "undo", help: "Undo the last change, also one by another program.",
            words: ["revert", "restore"]),
        Binding(
            ["m"], .showOverriddenOnly, label: "overridden", help: "Show overridden flags only, or all again.",
            words: ["modified", "changed", "diff", "mine", "changes", "overrides"]),
        Binding(
            ["p"], .pin, help: "Pin the flag on top, or let it go back.",
            words: ["star", "favourite", "favorite", "bookmark", "top"], obstacle: \.selectionObstacle),
        Binding(
            ["o"], .changeOrder, help: "Change the order: catalog, changed first, by name.",
            words: ["sort", "order by"]),
        Binding([.control("r")], .redo, help: "Redo what was undone.", words: ["repeat", "again"]),
        Binding(
            ["i"], .explain, label: "explain", help: "Explain: the value in every layer, who set it, when.",
            words: ["info", "inspect", "details", "why", "diff", "layers", "source"], obstacle: \.selectionObstacle),
        Binding(
            ["a"], .activate, label: "activate", help: "Activate fetched remote values.", words: ["apply", "publish"],
            obstacle: {
                $0.remote.waitingCount == nil ? "No fetched values wait. \($0.keyWord(of: .fetch)) fetches." : nil
            }),
        Binding(
            ["f"], .fetch, label: "fetch", help: "Fetch remote values; they hold once activated.",
            words: ["refresh", "reload", "update", "pull", "sync"], obstacle: \.fetchObstacle),
        Binding(
            [":"], .palette, label: "actions", help: "Find any action by its name and run it.",
            words: ["actions", "commands", "menu", "run"]),
        Binding(
            ["?", .function(1)], .help, label: "help", help: "Show this help.",
            words: ["keys", "shortcuts", "bindings", "manual", "usage"]),
        Binding(
            ["q"], .quit, label: "quit", help: "Leave; every change is saved when it is made.",
            words: ["exit", "close"]),
        Binding(
            [.escape], .cancel, label: "show all", help: "Cancel a fetch; else show all flags: no filter, no m.",
            words: ["reset filter", "unfilter", "everything", "cancel fetch", "stop", "abort"],
            obstacle: {
                $0.isNarrowed || $0.remote.fetch != nil ? nil : "All flags are shown. \($0.keyWord(of: .quit)) quits."
            }),
        Binding(
            ["X"], .clearCategory, help: "Clear all overrides of this category.",
            words: ["reset category", "reset group", "revert category"], obstacle: \.clearCategoryObstacle),
        Binding(
            ["C"], .clearAll, help: "Clear all overrides; shows them and asks.",
            words: ["reset all", "reset everything", "revert all", "restore all", "factory"],
            obstacle: { $0.overrideCount == 0 ? "Nothing is overridden." : nil }),
    ]

    static let moving: [Binding] = [
        Binding([.down, "j", .control("n")], .moveDown, help: "Move to the next flag."),
        Binding([.up, "k", .control("p")], .moveUp, help: "Move to the previous flag."),
        Binding([.pageDown, .control("f"), .control("d")], .pageDown, help: "Move one page down."),
        Binding([.pageUp, .control("b"), .control("u")], .pageUp, help: "Move one page up."),
        Binding([.home, "g"], .moveToFirst, help: "Move to the first flag."),
        Binding([.end, "G"], .moveToLast, help: "Move to the last flag."),
        Binding([.tab, .right, "l"], .nextCategory, help: "Move to the next category."),
        Binding(
            [.backTab, .left, "h"], .previousCategory, help: "Move to the category's start, then to the one before."),
        Binding(
            ["n"], .nextMatch, help: "Move to the next match of the filter.", words: ["find next", "search next"],
            obstacle: \.matchObstacle),
        Binding(
            ["N"], .previousMatch, help: "Move to the previous match of the filter.",
            words: ["find previous", "search previous"], obstacle: \.matchObstacle),
        Binding(
            ["T"], .changeTheme, help: "Switch the theme: dark, light, high contrast, mono.",
            words: ["theme", "colours", "colors", "color", "background"]),
        Binding(
            [.control("t")], .switchMouse, help: "Switch the mouse on or off.", words: ["click", "pointer", "wheel"]),
    ]
}
