import DeveloperMenu

/// Where in the menu somebody does what a command does.
enum CommandPlace: Sendable, Equatable {
    /// An action of the list.
    case action(Action.ID)
    /// The menu itself, all the time, in the way that the sentence tells.
    case always(String)
}

extension ActionTable {
    /// The place of every command of `flagmenu` in the menu, by the command's name.
    static let commandPlaces: [String: CommandPlace] = [
        "menu": .always("It opens the menu."),
        "list": .always("The list shows every flag; / filters, m, o and X narrow, order and clear."),
        "watch": .always("The list shows every change as it happens."),
        "get": .action("copy"), "explain": .action("explain"), "set": .action("open"), "toggle": .action("toggle"),
        "reset": .action("clear"), "undo": .action("undo"), "redo": .action("redo"), "history": .action("history"),
        "fetch": .action("fetch"), "activate": .action("activate"), "context": .action("context"),
        "export": .action("export"),
        "import": .action("importAdding"), "status": .action("status"), "doctor": .action("doctor"),
        "paths": .action("paths"), "config": .action("config"),
        "diff": .always("What differs is shown before fetched values are activated."),
        "publish": .always("What everybody gets is changed in a shell, where the change is shown and asked about."),
        "versions": .always("What everybody got is told in a shell, where it can be brought back."),
        "init": .action("openOther"),
        "prompt": .always("The title counts the overrides."),
        "trust": .always("What a project file may send is asked before the menu opens."),
        "completions": .action("shellCommands"), "manual": .action("shellCommands"),
    ]

    /// Actions of the list that only move about this screen or end it, so that no command does the same.
    static let screenActions: Set<Action.ID> = [
        "moveDown", "moveUp", "pageDown", "pageUp", "moveToFirst", "moveToLast", "nextCategory", "previousCategory",
        // What stands on top of this list, and what was said in this run.
        "pin", "log", "mark", "markRange",
        // What is put on the clipboard.
        "copyBugReport",
        // How this screen looks, and whether it minds the mouse.
        "changeTheme", "switchMouse",
        // What this screen is open on, which each command names for itself.
        "openOther",
        "quit", "interrupt", "suspend", "repaint",
    ]
}
