import ArgumentParser
import FlagModel
import FlagQueries
import FlagWorkspace
import TerminalUI

struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "manual", abstract: "Write the man page.",
        discussion: """
            EXAMPLE:
              flagmenu manual > ~/.local/share/man/man1/flagmenu.1
            """)

    func run() throws {
        StandardOutput.write(ManualPage().text)
    }
}

/// The man page, generated from the definitions of commands, sources, actions, preferences and exit codes.
struct ManualPage {
    let text: String

    init() {
        let (main, columns) = (FlagMenu.configuration, 80)
        var page = Roff()
        page.title("FLAGMENU", section: 1)
        page.section("NAME")
        page.paragraph("flagmenu - \(main.abstract.decapitalized)")
        page.section("SYNOPSIS")
        page.paragraph("flagmenu [COMMAND] [OPTION]...")
        page.section("DESCRIPTION")
        page.discussion(main.discussion)
        page.paragraph(
            "If overrides are active when the menu closes, it prints how many and the command that resets them, unless "
                + "--quiet is given.")
        page.section("COMMANDS")
        for command in FlagMenu.commands {
            page.subsection("flagmenu \(command.name)")
            page.verbatim(FlagMenu.parts(of: FlagMenu.helpMessage(for: command.type, columns: columns)).own)
        }
        page.section("OPTIONS OF EVERY COMMAND")
        page.verbatim(FlagMenu.parts(of: FlagMenu.helpMessage(columns: columns)).general)
        page.section("SOURCES")
        page.paragraph(
            "A file, or one of these. The settings of a source are members of its entry in flagmenu.json; those of "
                + "every source come first.")
        for option in SourceOption.common { page.item(option.name, option.help) }
        for kind in SourceRegistry.standard.kinds {
            page.item(kind.example, kind.title.asSentence)
            for option in kind.options.flatMap(\.members) where !option.isCommon {
                page.subitem(option.name, option.help)
            }
        }
        page.section("KEYS IN THE MENU")
        for (heading, actions) in ConfigurationSchema.keys {
            page.subsection(heading)
            for action in actions { page.item(action.keys, "\(action.help) (\(action.name))") }
        }
        page.section("PREFERENCES")
        page.paragraph(
            "The members of config.json. In \"keys\", actions have the names in parentheses above, such as list.toggle."
        )
        for preference in Preference.all {
            var words = preference.help
            if case .choice(let choices) = preference.form { words += " One of \(choices.joined(separator: ", "))." }
            if let variable = preference.variable { words += " Also \(variable)." }
            if preference.isForProjects { words += " Also in flagmenu.json." }
            page.item(preference.name, words)
        }
        let statuses = ExitStatus.allCases.map { (String($0.rawValue), $0.meaning) }
        for (heading, items) in [
            ("EXIT STATUS", statuses), ("ENVIRONMENT", Self.environment), ("FILES", Self.files),
        ] {
            page.section(heading)
            for (name, meaning) in items { page.item(name, meaning) }
        }
        text = page.text
    }

    private static let environment = [
        ("FLAGMENU_SOURCE", "Sources, separated by semicolons, if no --source is given."),
        ("FLAGMENU_DEFAULTS", "The file of compiled-in values, if no --defaults is given."),
        ("FLAGMENU_TEAM", "The team's address, if no --team is given."),
        ("FLAGMENU_APP", "The app, if no --app is given."),
        ("FLAGMENU_STORE", "The folder of the overrides, if no --store is given."),
        ("FLAGMENU_LAUNCH", "Values of this run: KEY=VALUE, several separated by commas or lines, or a JSON object."),
        ("FLAGMENU_CONFIG", "The file of preferences, if no --config is given."),
        ("VISUAL, EDITOR", "The editor that the menu opens values in; the first that is set."),
        ("NO_COLOR", "No colour, if it is set and not empty."),
        (
            "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME",
            "Folders of preferences, overrides and cached remote values."
        ),
    ]

    /// Default paths, which variables and options can change.
    private static let files = [
        ("flagmenu.json", "The project's settings, searched from the working directory upward."),
        (
            "~/.config/flagmenu/config.json",
            "Your preferences; flagmenu status --files shows them, --schema describes the file."
        ),
        ("~/.local/state/flagmenu/APP/overrides.json", "Your changes: overrides, contexts and conditions."),
        ("scenarios/NAME.json", "Scenarios, beside flagmenu.json; without it, beside overrides.json."),
        ("~/.local/state/flagmenu/APP/session.json", "The last state of the app's menu."),
        ("~/.local/state/flagmenu/APP/history.jsonl", "What was changed, when and by whom."),
        (
            "~/.cache/flagmenu/APP/",
            "Cached remote values. On macOS, or if a variable or an option changes them, these paths differ: "
                + "flagmenu status --files prints the paths."
        ),
    ]
}
