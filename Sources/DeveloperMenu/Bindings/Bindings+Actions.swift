import TerminalUI

// Actions by name, and what is known beyond the list.
extension Bindings {
    static let actions: [Binding] = [
        Binding(
            ["y"], .copy, help: "Copy the key, the value, or the command that does it.",
            words: ["clipboard", "yank", "get"], obstacle: \.selectionObstacle),
        Binding(
            ["c"], .context, label: "context", help: "Edit the context, and decide conditions by hand.",
            words: ["context", "conditions", "targeting", "evaluate", "whom", "segment", "audience"],
            obstacle: \.contextObstacle),
        Binding(
            ["M"], .log, help: "Show everything that was said in this run.",
            words: ["messages", "log", "notifications", "warnings", "errors"]),
        Binding(
            ["H"], .history, help: "Show the history: what was changed, when, by whom.",
            words: ["history", "changes", "diff", "audit", "log"]),
        Binding(
            ["F"], .sources, help: "Show every source: its state, its age, what is wrong.",
            words: ["sources", "fetch progress", "network", "services", "age"]),
        Binding(
            ["S"], .setListed, help: "Set all listed flags; shows them and asks.",
            words: ["select all", "bulk", "every", "set all"], obstacle: \.listedObstacle),
        Binding(
            ["D"], .clearListed, help: "Clear all listed overrides; shows them and asks.",
            words: ["reset listed", "bulk", "select all"], obstacle: \.clearListedObstacle),
        Binding(
            [], .export, help: "Export the overrides to a file.",
            words: ["export", "save", "write", "backup", "dump", "share"]),
        Binding(
            [], .importAdding, help: "Import overrides from a file; shows them and asks.",
            words: ["import", "load", "read", "open file"]),
        Binding(
            [], .importReplacing, help: "Import in place of all overrides; shows and asks.",
            words: ["import replace", "load", "restore"]),
        Binding(
            [], .status, help: "Show the status: sources, their age, the store.",
            words: ["status", "about", "version", "prompt"]),
        Binding(
            [], .doctor, help: "Check sources, store and terminal, as a doctor.",
            words: ["doctor", "diagnose", "health", "debug"]),
        Binding([], .paths, help: "Show the paths of all files.", words: ["paths", "where", "folders", "directory"]),
        Binding(
            [], .config, help: "Show every preference and who set it.",
            words: ["config", "settings", "configuration", "options", "preferences", "read-only"]),
        Binding(
            [], .shellCommands, help: "Show what is for shells: watch, completions, manual.",
            words: ["shell", "watch", "completions", "manual", "man", "scripts"]),
    ]

    static let help: [Binding] = [
        Binding([.enter], .accept, label: "run", help: "Run the selected entry, or go where it works."),
        Binding([.escape, .function(1)], .cancel, label: "back", help: "Close help."),
    ]

    static let palette: [Binding] = [
        Binding([.enter], .accept, label: "run", help: "Run the selected action."),
        Binding([.escape], .cancel, label: "back", help: "Close the palette and do nothing."),
    ]

    static let copy: [Binding] = [
        Binding(["k"], .copyKey, label: "key", help: "Copy the flag's key."),
        Binding(
            ["v"], .copyValue, label: "value", help: "Copy the value in use.",
            obstacle: { $0.obstacle(toCopying: .copyValue) }),
        Binding(
            ["c"], .copyCommand, label: "command", help: "Copy the command that makes the flag as it is.",
            obstacle: { $0.obstacle(toCopying: .copyCommand) }),
        Binding(
            ["l"], .copyLastCommand, label: "last command", help: "Copy the command that does the last action.",
            obstacle: { $0.obstacle(toCopying: .copyLastCommand) }),
        Binding([.enter], .accept, help: "Copy the selected entry."),
        Binding([.escape, "q", "y"], .cancel, label: "back", help: "Close the sheet and copy nothing."),
        Binding([.down, .control("n")], .moveDown, help: "Move to the next entry."),
        Binding([.up, .control("p")], .moveUp, help: "Move to the previous entry."),
    ]

    static let context: [Binding] = [
        Binding([.enter, " "], .accept, label: "change", help: "Edit the member, or decide the condition: on, off."),
        Binding(
            ["x", .delete, .backspace], .clear, label: "take back",
            help: "Take back what you decided, or leave out a member.", obstacle: \.contextClearObstacle),
        Binding(["a"], .addMember, label: "add", help: "Add a member to the context.", obstacle: \.contextAddObstacle),
        Binding(
            ["R"], .resetContext, label: "reset", help: "Take back all that you decided about the source.",
            obstacle: \.contextResetObstacle),
        Binding([.escape, "q", "c"], .cancel, label: "back", help: "Close the sheet."),
        Binding([.down, "j", .control("n")], .moveDown, help: "Move to the next line."),
        Binding([.up, "k", .control("p")], .moveUp, help: "Move to the previous line."),
        Binding([.pageDown], .pageDown, help: "Move one page down."),
        Binding([.pageUp], .pageUp, help: "Move one page up."),
        Binding([.home, "g"], .moveToFirst, help: "Move to the first line."),
        Binding([.end, "G"], .moveToLast, help: "Move to the last line."),
    ]

    static let report: [Binding] = [
        Binding([.escape, "q", .enter], .cancel, label: "back", help: "Close the report."),
        Binding([.down, "j"], .moveDown, label: "scroll", help: "Scroll down.", obstacle: \.scrollObstacle),
        Binding([.up, "k"], .moveUp, help: "Scroll up.", obstacle: \.scrollObstacle),
        Binding([.pageDown, " "], .pageDown, help: "Scroll one page down.", obstacle: \.scrollObstacle),
        Binding([.pageUp], .pageUp, help: "Scroll one page up.", obstacle: \.scrollObstacle),
        Binding([.home, "g"], .moveToFirst, help: "Go to the first line.", obstacle: \.scrollObstacle),
        Binding([.end, "G"], .moveToLast, help: "Go to the last line.", obstacle: \.scrollObstacle),
        Binding(["y"], .copyText, label: "copy", help: "Copy the whole text."),
        Binding([.tab], .nextReport, label: "next report", help: "Show the next report."),
        Binding(
            ["u"], .undo, label: "undo", help: "Undo the last change, in the history.", obstacle: \.historyObstacle),
        Binding(
            [.control("r")], .redo, label: "redo", help: "Redo what was undone, in the history.",
            obstacle: \.historyObstacle),
    ]

    static let prompt: [Binding] = [
        Binding([.enter], .accept, label: "take", help: "Take what is typed."),
        Binding([.escape], .cancel, label: "back", help: "Close the line and do nothing."),
        Binding(
            [.down, .control("n"), .tab], .moveDown, label: "suggestion", help: "Take the next suggestion.",
            obstacle: \.suggestionObstacle),
        Binding(
            [.up, .control("p"), .backTab], .moveUp, help: "Take the suggestion before.",
            obstacle: \.suggestionObstacle),
    ]

    /// Choosing from a list that is filtered as somebody types.
    static let choosing: [Binding] = [
        Binding([.down, .control("n"), .tab], .moveDown, label: "next", help: "Move to the next entry."),
        Binding([.up, .control("p"), .backTab], .moveUp, label: "previous", help: "Move to the previous entry."),
        Binding([.pageDown], .pageDown, help: "Move one page down."),
        Binding([.pageUp], .pageUp, help: "Move one page up."),
        Binding(
            [.control("y")], .copyCommand, label: "copy command",
            help: "Copy the command that does the same in a shell.", obstacle: \.commandObstacle),
    ]
}
