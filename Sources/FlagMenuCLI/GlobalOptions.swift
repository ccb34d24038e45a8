import ArgumentParser
import FlagModel
import FlagRemote
import FlagStorage

/// What every command understands.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read remote values from a file, the URL of a document, or a service such as ofrep:URL; repeatable, the first wins.",
            valueName: "source"),
        completion: .file())
    var source: [String] = []

    @Option(
        help: ArgumentHelp("Read the values compiled into the app from a JSON, plist or XML file.", valueName: "file"),
        completion: .file())
    var defaults: String?

    @Option(help: ArgumentHelp("The id of the app whose overrides are used.", valueName: "id"))
    var app: String?

    @Option(help: ArgumentHelp("Keep overrides in this directory.", valueName: "dir"), completion: .directory)
    var store: String?

    @Option(
        help: ArgumentHelp("Give a flag a value for this run only; repeatable, never saved.", valueName: "key=value"))
    var launch: [String] = []

    @Option(
        help: ArgumentHelp("Read preferences from this file instead of your config.json.", valueName: "file"),
        completion: .file())
    var config: String?

    @Flag(help: "Refuse every change of what apps read.")
    var readOnly = false

    @Flag(help: "Write JSON.")
    var json = false

    @Flag(help: "Use no colour.")
    var noColor = false

    @Flag(name: [.short, .long], help: "Say only what goes wrong.")
    var quiet = false

    /// What was given.
    var given: GivenOptions {
        GivenOptions(
            source: source, defaults: defaults, app: app, store: store, launch: launch, config: config,
            readOnly: readOnly, json: json, noColor: noColor, quiet: quiet)
    }

    // Their names, for those who look at arguments before the parser or in its place.
    /// Options that stand alone.
    static let flagNames = ["--json", "--no-color", "--quiet", "-q", "--read-only"]
    /// Options with a value that may stand several times.
    static let repeatableOptions = ["--source", "--launch"]
    /// Options with a value that stand once.
    static let singleOptions = ["--defaults", "--app", "--store", "--config"]
    /// Options that take the next argument as their value.
    static let valueOptions = repeatableOptions + singleOptions
}
