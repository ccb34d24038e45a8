import ArgumentParser
import FlagModel
import FlagRemote
import FlagStorage
import FlagWorkspace

/// The options of every command.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read remote values from a file, standard input (-), a URL, or a service such as ofrep:URL; repeatable, the first wins.",
            valueName: "source"),
        completion: .file())
    var source: [String] = []

    @Flag(help: "Use the built-in sample.")
    var sample = false

    @Option(
        help: ArgumentHelp("Read the values compiled into the app from a JSON, plist or XML file.", valueName: "file"),
        completion: .file())
    var defaults: String?

    @Option(
        help: ArgumentHelp(
            "Use the overrides that a team shares in etcd: etcd://HOST:PORT,.../PREFIX.", valueName: "url"))
    var team: String?

    @Option(help: ArgumentHelp("The id of the app whose overrides are used.", valueName: "id"))
    var app: String?

    @Option(help: ArgumentHelp("The folder of the overrides.", valueName: "dir"), completion: .directory)
    var store: String?

    @Option(
        help: ArgumentHelp("Give a flag a value for this run only; repeatable, never saved.", valueName: "key=value"))
    var launch: [String] = []

    @Option(
        help: ArgumentHelp("Read preferences from this file instead of your config.json.", valueName: "file"),
        completion: .file())
    var config: String?

    @Flag(help: "Reject every change of values that apps read.")
    var readOnly = false

    @Flag(help: "Write JSON.")
    var json = false

    @Flag(help: "Use no colour.")
    var noColor = false

    @Flag(name: [.short, .long], help: "Print only errors and warnings.")
    var quiet = false

    /// The options without the parser.
    var values: RunOptions {
        var values = RunOptions()
        (values.source, values.sample, values.defaults, values.team) = (source, sample, defaults, team)
        (values.app, values.store, values.launch, values.config) = (app, store, launch, config)
        (values.readOnly, values.json, values.noColor, values.quiet) = (readOnly, json, noColor, quiet)
        return values
    }

    /// The options whose value is the next argument.
    static let valueOptions = ["--source", "--launch", "--defaults", "--team", "--app", "--store", "--config"]

    /// These options as arguments for a command in another folder, with absolute paths.
    func arguments(_ settings: Settings) -> [String] {
        let folder = settings.environment.workingDirectory
        var arguments = sample ? ["--sample"] : []
        let names = SourceName.named(source, or: nil, in: folder, services: settings.registry.schemes)
        // What was read from a pipe cannot be read again, but its overrides can be used.
        arguments += names.flatMap { PipeSource.isPipe($0) ? [] : ["--source", $0] }
        let isFound = settings.foundAppReason != nil || names.contains(where: PipeSource.isPipe)
        if app == nil, isFound { arguments += ["--app", settings.app] }
        arguments += defaults.map { ["--defaults", FilePath.resolve($0, in: folder)] } ?? []
        arguments += team.map { ["--team", $0] } ?? []
        arguments += app.map { ["--app", $0] } ?? []
        arguments += store.map { ["--store", FilePath.resolve($0, in: folder)] } ?? []
        arguments += config.map { ["--config", FilePath.resolve($0, in: folder)] } ?? []
        if readOnly { arguments.append("--read-only") }
        return arguments + launch.flatMap { ["--launch", $0] }
    }
}
