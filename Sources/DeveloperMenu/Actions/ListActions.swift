import FlagModel
import FlagQueries
import TerminalUI

// Actions of the list of flags.
extension ActionTable {
    static let list: [Action] = [
        Action(
            .toggle, [" "], label: "toggle", help: "Toggle: true or false, or the next option.",
            words: ["toggle", "switch", "flip", "next", "enable", "disable", "on", "off"],
            [.changesValues, .isAboutFlag, .worksOnMarked, .isDaily], rank: .everyday,
            disabledReason: { $0.toggleReason },
            commands: { $0.list.marks.isEmpty ? $0.commands.onSelected("toggle") : $0.commands.edits($0.list.toggles) }
        ) { $0.list.marks.isEmpty ? $0.toggleSelected() : $0.saveMarked($0.list.toggles, "Toggled") },
        Action(
            .open, [.enter], label: "open", help: "Open: the options, or an editor of the value.",
            words: ["options", "set", "edit", "change", "value", "editor"], [.isAboutFlag, .isDaily], rank: .everyday,
            disabledReason: { $0.openingReason },
            commands: { $0.commands.onSelected("explain") }
        ) { $0.openSelected() },
        Action(
            .clear, ["x", .delete, .backspace], label: "reset",
            help: "Reset flag: use its remote value again.",
            words: ["clear", "reset", "use remote", "revert", "restore", "unset", "remove", "delete", "default"],
            [.changesValues, .isAboutFlag, .worksOnMarked, .isDaily], rank: .frequent,
            disabledReason: { $0.clearReason },
            commands: { $0.list.marks.isEmpty ? $0.commands.onSelected("reset") : $0.commands.edits($0.list.resets) }
        ) { $0.list.marks.isEmpty ? $0.resetSelected() : $0.saveMarked($0.list.resets, "Reset") },
        Action(
            "keepValue", ["K"], help: "Keep value: the current one, as an override.",
            words: ["freeze", "hold", "lock", "same as remote"], [.changesValues, .isAboutFlag],
            disabledReason: { $0.keepReason }, commands: { $0.commands.edits($0.list.keepingEdits) }
        ) { $0.save($0.list.keepingEdits) },
        Action(
            "moveToTeam", ["t"], label: "share", help: "Move to team: the override; shows it and asks.",
            words: ["team", "everyone", "publish", "etcd", "move"],
            [.changesValues, .isAboutFlag, .worksOnMarked, .needsTeam],
            disabledReason: { $0.moveToTeamReason }, commands: { $0.commands.moveToTeam }
        ) { $0.confirmMoveToTeam() },
        Action(
            .retry, ["r"], label: "save again", help: "Save again: a change that could not be saved.",
            words: ["save", "write"], .changesValues,
            disabledReason: { $0.store.unsaved.isEmpty ? "Everything is saved." : nil },
            commands: { $0.commands.edits($0.store.unsaved) }
        ) { $0.retrySaving() },
        Action(
            .filter, ["/"], label: "filter", help: "Filter: words, is: type: cat: layer: value: !word.",
            words: ["search", "find", "grep", "look for"], .isDaily, commands: { [$0.commands.listing()] }
        ) { $0.openFilterLine() },
        Action(
            .undo, ["u"], label: "undo", help: "Undo: the last change, no matter who made it.",
            words: ["revert", "restore"], [.changesValues, .isDaily], rank: .frequent,
            // If it is unknown whether undo finds a change, the key is shown if there are overrides. After a change,
            // the key is shown until an undo, as the change may have cleared the last override.
            isOffered: { $0.team?.canUndo == true || $0.store.knowsOfUndo ?? ($0.changeCount > 0) },
            disabledReason: { $0.undoReason },
            commands: { [$0.commands.command("undo")] }
        ) { $0.moveHistory(.undo) },
        Action(
            .showOverriddenOnly, ["m"], label: "changed", help: "What I changed: show only that, or all again.",
            words: ["modified", "changed", "diff", "mine", "changes", "overrides", "show overrides"], .isDaily,
            currentLabel: { $0.list.showsChangesOnly ? "all" : nil },
            isOffered: { $0.changeCount > 0 || $0.list.showsChangesOnly },
            commands: { [$0.commands.listing(isOverriddenOnly: !$0.list.showsChangesOnly)] }
        ) { $0.inList { $0.toggleChangesOnly() } },
        Action(
            "mark", ["v"], help: "Mark: space, S and x then change all marked flags.",
            words: ["tag", "check", "multi"], [.isAboutFlag, .isDaily], disabledReason: { $0.selectionReason }
        ) { $0.mark { $0.markSelected() } },
        Action(
            "markRange", ["V"], help: "Mark range: from the last marked flag to this one.",
            words: ["visual", "block", "range"], .isAboutFlag, disabledReason: { $0.selectionReason }
        ) { $0.mark { $0.markRange() } },
        Action(
            "pin", ["p"], help: "Keep on top: pin the flag, or unpin it.",
            words: ["star", "favourite", "favorite", "bookmark", "top"], .isAboutFlag,
            disabledReason: { $0.selectionReason }
        ) { $0.pinSelected() },
        Action(
            "changeOrder", ["o"], help: "Order: catalog, changed, name, prefix.",
            words: ["sort", "order by", "group by prefix"],
            commands: { [$0.commands.listing(order: $0.list.order.next)] }
        ) { $0.changeOrder() },
        Action(
            .redo, [.control("r")], help: "Redo: the last undo.", words: ["repeat", "again"],
            [.changesValues, .isDaily], disabledReason: { $0.undoReason },
            commands: { [$0.commands.command("redo")] }
        ) { $0.moveHistory(.redo) },
        Action(
            .explain, ["i"], label: "explain", help: "Explain: the value in every layer, who set it, when.",
            words: ["info", "inspect", "details", "why", "diff", "layers", "source"], [.isAboutFlag, .isDaily],
            disabledReason: { $0.selectionReason }, commands: { $0.commands.onSelected("explain") }
        ) { $0.openOnSelected(ExplanationSheet.init) },
        Action(
            .activate, ["a"], label: "activate", help: "Activate: use fetched values; shows them first.",
            words: ["apply", "publish", "diff", "changes", "waiting"],
            [.changesValues, .isDaily], disabledReason: { $0.activationReason },
            commands: { [$0.commands.command("activate")] }
        ) { $0.reviewWaiting() },
        Action(
            .fetch, ["f"], label: "fetch", help: "Fetch: get remote values; activate uses them.",
            words: ["refresh", "reload", "update", "pull", "sync"], .isDaily, disabledReason: { $0.fetchReason },
            commands: { [$0.commands.command("fetch")] }
        ) { $0.fetch() },
        Action(
            .palette, [":"], label: "actions", help: "Actions: find any by its name and run it.",
            words: ["actions", "commands", "menu", "run"], .isDaily, rank: .palette,
            commands: { _ in [ShellCommand("menu", options: ["--help"])] }
        ) { $0.open(ActionSheet(isHelp: false, in: $0)) },
        Action(
            .help, ["?", .function(1)], label: "help", help: "Show this help.",
            words: ["keys", "shortcuts", "bindings", "manual", "usage"], [.isWayOut, .isDaily], rank: .always,
            commands: { _ in [ShellCommand("menu", options: ["--help"])] }
        ) { $0.open(ActionSheet(isHelp: true, in: $0)) },
        Action(
            .quit, ["q"], label: "quit", help: "Quit: changes are saved as they are made.",
            words: ["exit", "close"], [.isWayOut, .worksUnseen, .isDaily], rank: .always
        ) { $0.leave() },
        Action(
            .cancel, [.escape], label: "show all", help: "Cancel: a fetch, all marks, or the filter.",
            words: ["reset filter", "unfilter", "everything", "cancel fetch", "stop", "abort", "unmark", "unselect"],
            [.isWayOut, .isDaily],
            rank: .always,
            currentLabel: { $0.remote.fetch != nil ? "cancel fetch" : $0.list.marks.isEmpty ? nil : "unmark" },
            disabledReason: { $0.cancelReason },
            commands: { [$0.commands.command("list", options: $0.list.order.options)] }
        ) { $0.cancel() },
        Action(
            "resetMany", ["X"], help: "Reset many: category, shown, everything.",
            words: ["reset category", "reset listed", "reset marked"],
            [.changesValues, .isDaily], disabledReason: { $0.resetReason }
        ) { $0.open(ResetSheet(in: $0)) },
        Action(
            .clearAll, ["C"], help: "Reset everything: shows it and asks.",
            words: ["reset all", "clear all", "reset everything", "revert all", "restore all", "factory"],
            [.changesValues, .isDaily],
            disabledReason: { $0.resetReason },
            commands: { [$0.commands.resetAll] }
        ) { $0.confirmClearAll() },
    ]

    /// Actions that move the selection, change the theme or switch the mouse.
    static let moving: [Action] = [
        .moving(.down, [.down, "j", .control("n")], help: "Move to the next flag.", [.movesSelection, .isDaily]),
        .moving(.up, [.up, "k", .control("p")], help: "Move to the previous flag.", [.movesSelection, .isDaily]),
        .moving(.pageDown, [.pageDown, .control("f"), .control("d")], help: "Move one page down.", .movesSelection),
        .moving(.pageUp, [.pageUp, .control("b"), .control("u")], help: "Move one page up.", .movesSelection),
        .moving(.first, [.home, "g"], help: "Move to the first flag.", .movesSelection),
        .moving(.last, [.end, "G"], help: "Move to the last flag.", .movesSelection),
        Action("nextCategory", [.tab, "l"], help: "Move to the next group.", [.movesSelection, .isDaily]) {
            $0.inList { $0.moveSelection { $0.nextGroup(after: $1) } }
        },
        Action(
            "previousCategory", [.backTab, "h"], help: "Move to the group's start, then the previous one.",
            .movesSelection
        ) { $0.inList { $0.moveSelection { $0.previousGroup(before: $1) } } },
        Action(
            "fold", [.left], help: "Fold: show only the group's heading.",
            words: ["collapse", "hide", "close group"],
            [.needsScreen, .movesSelection, .isDaily], disabledReason: { $0.foldReason }
        ) { $0.inList { list in list.groupOfSelection.map { list.changeFolding(of: $0) } } },
        Action(
            "unfold", [.right], label: "unfold", help: "Unfold: show the flags of a folded group.",
            words: ["expand", "open group"],
            [.needsScreen, .movesSelection], rank: .everyday,
            disabledReason: { $0.list.selectedGroup == nil ? "No folded group is selected." : nil }
        ) { $0.inList { list in list.selectedGroup.map { list.changeFolding(of: $0) } } },
        Action(
            "nextMatch", ["n"], help: "Move to the next match of the filter.", words: ["find next", "search next"],
            .movesSelection, disabledReason: { $0.matchReason }, commands: { [$0.commands.listing()] }
        ) { $0.inList { $0.moveSelection { $0.match(1, from: $1) } } },
        Action(
            "previousMatch", ["N"], help: "Move to the previous match of the filter.",
            words: ["find previous", "search previous"], .movesSelection, disabledReason: { $0.matchReason },
            commands: { [$0.commands.listing()] }
        ) { $0.inList { $0.moveSelection { $0.match(-1, from: $1) } } },
        Action(
            .changeTheme, ["T"], help: "Theme: dark, light, high contrast, mono.",
            words: ["theme", "colours", "colors", "color", "background"], .needsScreen
        ) { $0.changeTheme() },
        Action(
            "switchMouse", [.control("t")], help: "Mouse: on or off.", words: ["click", "pointer", "wheel"],
            .needsScreen
        ) { $0.switchMouse() },
    ]

    /// Actions that users mostly find by name in the palette.
    static let byName: [Action] = [
        Action(
            .copy, ["y"], help: "Copy: the key, the value, or the shell command.",
            words: ["clipboard", "yank", "get", "bug report", "markdown", "issue", "share", "jira"],
            [.isAboutFlag, .isDaily], disabledReason: { $0.selectionReason },
            commands: { $0.commands.onSelected("get") }
        ) { $0.openOnSelected(CopySheet.init) },
        Action(
            .note, ["e"], label: "note", help: "Note: why the override exists, and when it ends.",
            words: ["comment", "reason", "ends", "expire", "until", "temporary", "timer"],
            [.changesValues, .isAboutFlag], disabledReason: { $0.noteReason }
        ) { $0.openOnSelected(NoteSheet.init) },
        Action(
            .context, ["c"], label: "context", help: "Context: edit it; set conditions by hand.",
            words: ["context", "conditions", "targeting", "evaluate", "whom", "segment", "audience"],
            rank: .context, disabledReason: { $0.contextReason }, commands: { [$0.commands.command("context")] }
        ) { $0.open(ContextSheet()) },
        Action(
            "scenarios", ["s"], help: "Scenarios: apply, save, rename or delete one.",
            words: ["list", "show", "save", "apply", "diff", "delete", "rename"].map { "scenario \($0)" }
                + ["profile", "preset", "named set"],
            commands: { [$0.commands.command("scenario list")] }
        ) { $0.openScenarios() },
        Action(
            "bisect", [], help: "Bisect: find which change breaks the app.",
            words: ["bisect", "guilty", "culprit", "halve"], .changesValues,
            disabledReason: { $0.bisectReason }, commands: { [$0.commands.command("bisect")] }
        ) { $0.openBisect() },
        status(.messages, ["M"], words: ["messages", "log", "notifications", "warnings", "errors"]),
        Action(
            "history", ["H"], help: "History: what was changed, when, by whom.",
            words: ["history", "changes", "diff", "audit", "log", "undo to"], .isDaily,
            commands: { [$0.commands.command("history")] }
        ) { $0.openHistory() },
        status(
            .apps, ["A"],
            words: ["running apps", "processes", "pid", "taken", "uptake", "clients"], command: "apps"),
        status(
            .sources, ["F"],
            words: ["sources", "status", "fetch progress", "network", "services", "age", "about", "version"],
            command: "status"),
        status(
            .store, [],
            words: ["paths", "where", "folders", "directory", "config", "settings", "preferences", "read-only"],
            command: "status", options: ["--files"]),
        status(.checks, [], words: ["doctor", "diagnose", "health", "debug", "checks"], command: "doctor"),
        Action(
            .openOther, [], help: "Open other: a document, source or app.",
            words: ["open", "switch app", "switch source", "project", "folder", "init"],
            disabledReason: { $0.openReason }
        ) { $0.openOther() },
        Action(
            "setListed", ["S"], label: "set shown", help: "Set shown: all marked or shown; lists them and asks.",
            words: ["select all", "bulk", "every", "set all", "set marked", "set listed"], .changesValues,
            isOffered: { $0.list.isNarrowed || !$0.list.marks.isEmpty },
            disabledReason: { $0.listedReason }
        ) { $0.promptForValueOfListed() },
        Action(
            .export, [], help: "Export: the overrides, to a file.",
            words: ["export", "save", "write", "backup", "dump", "share"], commands: { [$0.commands.command("export")] }
        ) { $0.openPrompt(.export) },
        Action(
            "importAdding", [], help: "Import: overrides from a file; shows and asks.",
            words: ["import", "load", "read", "open file"], .changesValues
        ) { $0.openPrompt(.importing(replacing: false)) },
        Action(
            "importReplacing", [], help: "Import, replacing: all overrides; shows and asks.",
            words: ["import replace", "load", "restore"], .changesValues
        ) { $0.openPrompt(.importing(replacing: true)) },
    ]

    private static func status(
        _ tab: StatusTab, _ keys: [KeyPress], words: [String], command: String? = nil, options: [String] = []
    ) -> Action {
        Action(
            tab.action, keys, help: tab.help, words: words,
            commands: { state in command.map { [state.commands.command($0, options: options)] } ?? [] }
        ) { $0.openStatus(tab) }
    }
}
