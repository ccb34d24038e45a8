import ArgumentParser
import FlagModel
import FlagQueries
import TerminalUI

/// `flagmenu config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show every preference and who set it; or the schemas of both files.",
        usage: "flagmenu config [--schema | --project-schema] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu config
              flagmenu config --schema > config.schema.json
              flagmenu config --project-schema > flagmenu.schema.json

            Preferences are read from config.json, and are read again when it changes:
              {"theme": "light", "keys": {"list.toggle": ["space", "z"]}}

            A command line option wins over the environment, which wins over the project's flagmenu.json, which wins over \
            config.json.
            """)

    @Flag(help: "Write the JSON Schema of config.json.")
    var schema = false

    @Flag(help: "Write the JSON Schema of flagmenu.json.")
    var projectSchema = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        if schema { return ConfigurationSchema.user.print() }
        if projectSchema { return ConfigurationSchema.project().print() }
        let configuration = try Settings(options).configuration
        options.json ? Self.printJSON(configuration) : StandardOutput.write(lines: Self.lines(of: configuration))
        try StandardOutput.flush()
        if !options.json { configuration.issues.map(\.description).forEach(StandardError.warn) }
        if !configuration.issues.isEmpty { throw CommandFailure(.usage, "") }
    }

    /// A line for the configuration file, then one for each preference with its origin.
    static func lines(of configuration: Configuration) -> [String] {
        let state = configuration.isFilePresent ? "" : " (not found)"
        return [DisplayText.padded("file", to: 18) + configuration.path + state]
            + Preference.all.map { preference in
                let value = preference.json(configuration.preferences)
                let origin = configuration.origin(of: preference.name)
                return DisplayText.padded(preference.name, to: 18) + value.filled(to: 12) + " " + origin
            }
    }

    private static func printJSON(_ configuration: Configuration) {
        let preferences = Preference.all.map { preference in
            let origin = configuration.origin(of: preference.name)
            return (
                preference.name,
                JSONOutput.object([
                    ("value", .raw(preference.json(configuration.preferences))), ("from", .string(origin)),
                ])
            )
        }
        JSONOutput.object([
            ("file", .string(configuration.path)), ("preferences", .object(preferences)),
            ("issues", .array(configuration.issues.map { .string($0.description) })),
        ]).print()
    }
}
