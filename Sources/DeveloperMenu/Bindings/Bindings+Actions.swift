import TerminalUI

// Actions by name, and what is known beyond the list.
extension Bindings {
    static let actions: [Binding] = [
        Binding(
            [.character("y")], .copy, in: .list,
            help: "Copy the key, the value, or the command that does it.", words: ["clipboard", "yank", "get"],
            obstacle: \.selectionObstacle),
        Binding(
            [.character("c")], .context, in: .list, label: "context",
            help: "Edit the context, and decide conditions by hand.",
            words: ["context", "conditions", "targeting", "evaluate", "whom", "segment", "audience"],
            obstacle: \.contextObstacle),
        Binding(
            [.character("M")], .log, in: .list, help: "Show everything that was said in this run.",
            words: ["messages", "log", "notifications", "warnings", "errors"]),
        Binding(
            [.character("H")], .history, in: .list, help: "Show the history: what was changed, when, by whom.",
            words: ["history", "changes", "diff", "audit", "log"]),
        Binding(
            [.character("F")], .sources, in: .list, help: "Show every source: its state, its age, what is wrong.",
            words: ["sources", "fetch progress", "network", "services", "age"]),
        Binding(
            [.character("S")], .setListed, in: .list, help: "Set all listed flags; shows them and asks.",
            words: ["select all", "bulk", "every", "set all"],
            obstacle: \.listedObstacle),
        Binding(
            [.character("D")], .clearListed, in: .list, help: "Clear all listed overrides; shows them and asks.",
            words: ["reset listed", "bulk", "select all"],
            obstacle: \.clearListedObstacle),
        Binding(
            [], .export, in: .list, help: "Export the overrides to a file.",
            words: ["export", "save", "write", "backup", "dump", "share"]),
        Binding(
            [], .importAdding, in: .list, help: "Import overrides from a file; shows them and asks.",
            words: ["import", "load", "read", "open file"]),
        Binding(
            [], .importReplacing, in: .list, help: "Import in place of all overrides; shows and asks.",
            words: ["import replace", "load", "restore"]),
        Binding(
            [], .status, in: .list, help: "Show the status: sources, their age, the store.",
            words: ["status", "about", "version", "prompt"]),
        Binding(
            [], .doctor, in: .list, help: "Check sources, store and terminal, as a doctor.",
            words: ["doctor", "diagnose", "health", "debug"]),
        Binding(
            [], .paths, in: .list, help: "Show the paths of all files.",
            words: ["paths", "where", "folders", "directory"]),
        Binding(
            [], .config, in: .list, help: "Show every preference and who set it.",
            words: ["config", "settings", "configuration", "options", "preferences", "read-only"]),
        Binding(
            [], .shellCommands, in: .list, help: "Show what is for shells: watch, completions, manual.",
            words: ["shell", "watch", "completions", "manual", "man", "scripts"]),
    ]

    static let help: [Binding] =
        [
            Binding(
                [.enter], .accept, in: .help, label: "run", help: "Run the selected entry, or go where it works."),
            Binding([.escape, .function(1)], .cancel, in: .help, label: "back", help: "Close help."),
        ] + choosing(in: .help)

    static let palette: [Binding] =
        [
            Binding([.enter], .accept, in: .palette, label: "run", help: "Run the selected action."),
            Binding([.escape], .cancel, in: .palette, label: "back", help: "Close the palette and do nothing."),
        ] + choosing(in: .palette)

    static let copy: [Binding] =
        [
            Binding([.character("k")], .copyKey, in: .copy, label: "key", help: "Copy the flag's key."),
            Binding(
                [.character("v")], .copyValue, in: .copy, label: "value", help: "Copy the value in use.",
                obstacle: { $0.obstacle(toCopying: .copyValue) }),
            Binding(
                [.character("c")], .copyCommand, in: .copy, label: "command",
                help: "Copy the command that makes the flag as it is.",
                obstacle: { $0.obstacle(toCopying: .copyCommand) }),
            Binding(
                [.character("l")], .copyLastCommand, in: .copy, label: "last command",
                help: "Copy the command that does the last action.",
                obstacle: { $0.obstacle(toCopying: .copyLastCommand) }),
            Binding([.enter], .accept, in: .copy, help: "Copy the selected entry."),
            Binding(
                [.escape, .character("q"), .character("y")], .cancel, in: .copy, label: "back",
                help: "Close the sheet and copy nothing."),
            Binding([.down, .control("n")], .moveDown, in: .copy, help: "Move to the next entry."),
            Binding([.up, .control("p")], .moveUp, in: .copy, help: "Move to the previous entry."),
        ] + program(in: .copy)

    static let context: [Binding] =
        [
            Binding(
                [.enter, .character(" ")], .accept, in: .context, label: "change",
                help: "Edit the member, or decide the condition: on, off."),
            Binding(
                [.character("x"), .delete, .backspace], .clear, in: .context, label: "take back",
                help: "Take back what you decided, or leave out a member.",
                obstacle: \.contextClearObstacle),
            Binding(
                [.character("a")], .addMember, in: .context, label: "add", help: "Add a member to the context.",
                obstacle: \.contextAddObstacle),
            Binding(
                [.character("R")], .resetContext, in: .context, label: "reset",
                help: "Take back all that you decided about the source.", obstacle: \.contextResetObstacle),
            Binding(
                [.escape, .character("q"), .character("c")], .cancel, in: .context, label: "back",
                help: "Close the sheet."),
            Binding([.down, .character("j"), .control("n")], .moveDown, in: .context, help: "Move to the next line."),
            Binding([.up, .character("k"), .control("p")], .moveUp, in: .context, help: "Move to the previous line."),
            Binding([.pageDown], .pageDown, in: .context, help: "Move one page down."),
            Binding([.pageUp], .pageUp, in: .context, help: "Move one page up."),
            Binding([.home, .character("g")], .moveToFirst, in: .context, help: "Move to the first line."),
            Binding([.end, .character("G")], .moveToLast, in: .context, help: "Move to the last line."),
        ] + program(in: .context)

    static let report: [Binding] =
        [
            Binding(
                [.escape, .character("q"), .enter], .cancel, in: .report, label: "back", help: "Close the report."),
            Binding(
                [.down, .character("j")], .moveDown, in: .report, label: "scroll", help: "Scroll down.",
                obstacle: \.scrollObstacle),
            Binding(
                [.up, .character("k")], .moveUp, in: .report, help: "Scroll up.", obstacle: \.scrollObstacle),
            Binding(
                [.pageDown, .character(" ")], .pageDown, in: .report, help: "Scroll one page down.",
                obstacle: \.scrollObstacle),
            Binding([.pageUp], .pageUp, in: .report, help: "Scroll one page up.", obstacle: \.scrollObstacle),
            Binding(
                [.home, .character("g")], .moveToFirst, in: .report, help: "Go to the first line.",
                obstacle: \.scrollObstacle),
            Binding(
                [.end, .character("G")], .moveToLast, in: .report, help: "Go to the last line.",
                obstacle: \.scrollObstacle),
            Binding([.character("y")], .copyText, in: .report, label: "copy", help: "Copy the whole text."),
            Binding([.tab], .nextReport, in: .report, label: "next report", help: "Show the next report."),
            Binding(
                [.character("u")], .undo, in: .report, label: "undo", help: "Undo the last change, in the history.",
                obstacle: \.historyObstacle),
            Binding(
                [.control("r")], .redo, in: .report, label: "redo", help: "Redo what was undone, in the history.",
                obstacle: \.historyObstacle),
        ] + program(in: .report)

    static let prompt: [Binding] =
        [
            Binding([.enter], .accept, in: .prompt, label: "take", help: "Take what is typed."),
            Binding([.escape], .cancel, in: .prompt, label: "back", help: "Close the line and do nothing."),
            Binding(
                [.down, .control("n"), .tab], .moveDown, in: .prompt, label: "suggestion",
                help: "Take the next suggestion.", obstacle: \.suggestionObstacle),
            Binding(
                [.up, .control("p"), .backTab], .moveUp, in: .prompt, help: "Take the suggestion before.",
                obstacle: \.suggestionObstacle),
        ] + line(in: .prompt)

    /// Choosing from a list that is filtered as somebody types.
    private static func choosing(in context: Binding.Context) -> [Binding] {
        [
            Binding(
                [.down, .control("n"), .tab], .moveDown, in: context, label: "next", help: "Move to the next entry."),
            Binding(
                [.up, .control("p"), .backTab], .moveUp, in: context, label: "previous",
                help: "Move to the previous entry."),
            Binding([.pageDown], .pageDown, in: context, help: "Move one page down."),
            Binding([.pageUp], .pageUp, in: context, help: "Move one page up."),
            Binding(
                [.control("y")], .copyCommand, in: context, label: "copy command",
                help: "Copy the command that does the same in a shell.",
                obstacle: \.commandObstacle),
        ] + line(in: context)
    }
}
