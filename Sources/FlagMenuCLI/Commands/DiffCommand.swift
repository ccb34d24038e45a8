import ArgumentParser
import FlagModel
import FlagWorkspace

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "diff", abstract: "Compare the values of two documents, stores or sources.",
        usage: "flagmenu diff <old> <new> [--exit-code] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu diff staging.json production.json
              flagmenu diff yesterday.json firebase:shop --json
              flagmenu diff stores/ana stores/bo --exit-code

            A store is its folder, its overrides.json or an export: its overrides are compared. Anything else is a source, as \
            with --source, and is read now: its remote values are compared, whatever is overridden or activated here. Nothing is \
            stored.

            --json writes an object with differences, an array of key, change (added, removed or changed), old and new; a value \
            that one side does not have is null.
            """)

    @Argument(help: "A file, a folder of a store, or a source.", completion: .file())
    var old: String

    @Argument(help: "What it is compared with.", completion: .file())
    var new: String

    @Flag(help: "Exit with 1 if there are differences.")
    var exitCode = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        let oldValues = try ComparedValues.read(old, comparedWith: new, options.values)
        let newValues = try ComparedValues.read(new, comparedWith: old, options.values)
        let differences = ValueDifference.between(oldValues, newValues)
        options.printDifferences(differences)
        if exitCode, !differences.isEmpty { throw CommandFailure(.noMatch, "") }
    }
}
