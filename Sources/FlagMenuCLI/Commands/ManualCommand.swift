import ArgumentParser
import FlagModel
import FlagQueries
import FlagRemote
import TerminalUI

/// `flagmenu manual`.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "manual", abstract: "Write the man page.",
        discussion: """
            EXAMPLE:
              flagmenu manual > ~/.local/share/man/man1/flagmenu.1
            """)

    func run() throws {
        StandardOutput.write(try ManualPage().text)
    }
}

/// The man page, generated from the definitions of commands, sources, actions, preferences and exit codes.
struct ManualPage {
    let text: String

    init() throws(CommandFailure) {
        let command = try Self.definitions()
        var page = Roff()
        page.title("FLAGMENU", section: 1)
        page.section("NAME")
        page.paragraph("flagmenu - \(Self.string(command, "abstract").decapitalized)")
        page.section("SYNOPSIS")
        page.paragraph("flagmenu [COMMAND] [OPTION]...")
        page.section("DESCRIPTION")
        page.discussion(Self.string(command, "discussion"))
        page.paragraph(
            "If overrides are active when the menu closes, it prints how many and the command that resets them, unless "
                + "--quiet is given.")
        // The arguments of the program are also arguments of every command.
        let globals = Self.list(command, "arguments")
        let names = Set(globals.map(Self.spelling))
        page.section("COMMANDS")
        for subcommand in Self.list(command, "subcommands") { Self.describe(subcommand, besides: names, on: &page) }
        page.section("OPTIONS OF EVERY COMMAND")
        for argument in globals { page.item(Self.spelling(argument), Self.string(argument, "abstract")) }
        page.section("SOURCES")
        page.paragraph(
            "A file, or one of these. The settings of a source are members of its entry in flagmenu.json; those of "
                + "every source come first.")
        for option in SourceOption.common { page.item(option.name, option.help) }
        for kind in SourceRegistry.standard.kinds { Self.describe(kind, on: &page) }
        page.section("KEYS IN THE MENU")
        Self.describeKeys(on: &page)
        page.section("PREFERENCES")
        page.paragraph(
            "The members of config.json. In \"keys\", actions have the names in parentheses above, such as list.toggle."
        )
        for preference in Preference.all { Self.describe(preference, on: &page) }
        page.section("EXIT STATUS")
        for status in ExitStatus.allCases { page.item(String(status.rawValue), status.meaning) }
        page.section("ENVIRONMENT")
        for (name, meaning) in Self.environment { page.item(name, meaning) }
        page.section("FILES")
        for (name, meaning) in Self.files { page.item(name, meaning) }
        text = page.text
    }

    /// The parser's description of the commands.
    private static func definitions() throws(CommandFailure) -> JSONValue {
        do throws(JSONError) {
            let root = try JSONDocument(parsing: Array(FlagMenu._dumpHelp().utf8)).root
            if let command = root["command"] { return command }
        } catch {
            throw CommandFailure(.usage, "The description of the commands cannot be read: \(error.asSentence)")
        }
        throw CommandFailure(.usage, "The description of the commands is empty.")
    }

    private static func describe(
        _ command: JSONValue, inside parent: String = "", besides globals: Set<String>, on page: inout Roff
    ) {
        let word = string(command, "commandName")
        guard word != "help" else { return }
        let name = parent + word
        let inner = list(command, "subcommands")
        for subcommand in inner { describe(subcommand, inside: "\(name) ", besides: globals, on: &page) }
        guard inner.isEmpty else { return }
        let arguments = list(command, "arguments").filter { !globals.contains(spelling($0)) }
        page.item(([name] + arguments.map(usage)).joined(separator: " "), string(command, "abstract"))
        for argument in arguments where string(argument, "kind") != "positional" {
            page.subitem(spelling(argument), string(argument, "abstract"))
        }
    }

    private static func describe(_ kind: any SourceKind, on page: inout Roff) {
        page.item(
            kind.address.isURL ? "\(kind.scheme)://HOST/PATH" : "\(kind.scheme):\(kind.address.placeholder)",
            kind.title.asSentence)
        for option in kind.options.flatMap(\.members) where !option.isCommon {
            page.subitem(option.name, option.help)
        }
    }

    private static func describe(_ preference: Preference, on page: inout Roff) {
        var words = preference.help
        if case .choice(let choices) = preference.form { words += " One of \(choices.joined(separator: ", "))." }
        if let variable = preference.variable { words += " Also \(variable)." }
        if preference.isForProjects { words += " Also in flagmenu.json." }
        page.item(preference.name, words)
    }

    private static func describeKeys(on page: inout Roff) {
        for (heading, actions) in Configuration.actions {
            page.subsection(heading)
            for action in actions { page.item(action.keyNames, "\(action.help) (\(action.name))") }
        }
    }

    private static func usage(_ argument: JSONValue) -> String {
        let isOptional = argument["isOptional"]?.bool ?? false
        let dots = argument["isRepeating"]?.bool ?? false ? "..." : ""
        let word =
            string(argument, "kind") == "positional" ? string(argument, "valueName").uppercased() : spelling(argument)
        return isOptional ? "[\(word)\(dots)]" : "\(word)\(dots)"
    }

    private static func spelling(_ argument: JSONValue) -> String {
        let names = list(argument, "names").map { name in
            (string(name, "kind") == "short" ? "-" : "--") + string(name, "name")
        }
        let value = string(argument, "kind") == "option" ? " \(string(argument, "valueName").uppercased())" : ""
        return names.joined(separator: ", ") + value
    }

    private static func string(_ value: JSONValue, _ name: String) -> String { value[name]?.text?.string ?? "" }

    private static func list(_ value: JSONValue, _ name: String) -> [JSONValue] {
        value[name].map { Array($0.elements) } ?? []
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
            "Your preferences; flagmenu config shows them, --schema describes the file."
        ),
        ("~/.local/state/flagmenu/APP/overrides.json", "Your changes: overrides, contexts and conditions."),
        ("~/.local/state/flagmenu/APP/session.json", "The last state of the app's menu."),
        ("~/.local/state/flagmenu/APP/history.jsonl", "What was changed, when and by whom."),
        (
            "~/.cache/flagmenu/APP/",
            "Cached remote values. On macOS, or if a variable or an option changes them, these paths differ: "
                + "flagmenu paths prints the paths."
        ),
    ]
}
