import DeveloperMenu

/// The place in the menu that does the same as a command.
enum CommandPlace: Sendable, Equatable {
    /// An action of the list.
    case action(Action.ID)
    /// The menu itself, at any time, as the sentence describes.
    case always(String)
}

extension ActionTable {
    /// The place of every command of `flagmenu` in the menu, by the command's name.
    static let commandPlaces: [String: CommandPlace] = [
        "menu": .always("It opens the menu."),
        "list": .always("The list shows every flag; / filters, m, o and X narrow, order and reset."),
        "watch": .always("The list shows every change as it happens."),
        "get": .action("copy"), "explain": .action("explain"), "set": .action("open"), "toggle": .action("toggle"),
        "note": .action("note"),
        "reset": .action("clear"), "undo": .action("undo"), "redo": .action("redo"), "history": .action("history"),
        "fetch": .action("fetch"), "activate": .action("activate"), "context": .action("context"),
        "export": .action("export"),
        "import": .action("importAdding"), "status": .action("sources"), "doctor": .action("checks"),
        "bisect": .action("bisect"),
        "share": .action("copy"),
        "diff": .always("What differs is shown before fetched values are activated."),
        "matrix": .always("A command runs with combinations of flags in a shell."),
        "firebase publish": .always(
            "Values for everybody are changed in a shell, which shows the change and confirms it."),
        "firebase push": .always("Whole templates are moved in a shell, which shows the changes and confirms them."),
        "firebase pull": .always("A file of a template is written in a shell, beside the project that it belongs to."),
        "firebase versions": .always("Published versions are listed in a shell, where they can be restored."),
        "scenario list": .action("scenarios"), "scenario show": .action("scenarios"),
        "scenario save": .action("scenarios"), "scenario apply": .action("scenarios"),
        "scenario diff": .action("scenarios"), "scenario delete": .action("scenarios"),
        "scenario rename": .action("scenarios"),
        "scenario schema": .always("The schema of a scenario's file is written in a shell, for an editor."),
        "apps": .action("apps"),
        "generate": .always("Code is written in a shell, beside the project that it belongs to."),
        "serve": .always("A server runs in a shell of its own, beside the menu."),
        "mcp": .always("An agent starts it; its changes show in the list and the history."),
        "init": .action("openOther"),
        "prompt": .always("The title counts the overrides."),
        "trust": .always("Consent to a project file is requested before the menu opens."),
        "completions": .always("A shell is set up in the shell."),
        "manual": .always("Help shows every key."),
    ]

    /// Actions of the list that only change or leave this screen, so that no command does the same.
    static let screenActions: Set<Action.ID> = [
        "moveDown", "moveUp", "pageDown", "pageUp", "moveToFirst", "moveToLast", "nextCategory", "previousCategory",
        "fold", "unfold",
        // Pinned rows, the log of messages, and marks.
        "pin", "messages", "mark", "markRange",
        // The look of this screen, and the mouse.
        "changeTheme", "switchMouse",
        // The source of this screen. Each command names its own.
        "openOther",
        "quit", "interrupt", "suspend", "repaint",
    ]
}
