import FlagModel
import FlagRemote

/// What the options of all commands say, however they were read.
struct GivenOptions: Sendable, Equatable {
    var source: [String] = []
    var defaults: String?
    var app: String?
    var store: String?
    var launch: [String] = []
    var config: String?
    var readOnly = false
    var json = false
    var noColor = false
    var quiet = false

    /// The same options for a command somewhere else: what was given here, with absolute paths.
    func arguments(_ settings: Settings) -> [String] {
        let here = settings.environment.workingDirectory
        var arguments = source.flatMap { ["--source", SourceName.resolve($0, in: here)] }
        arguments += defaults.map { ["--defaults", FilePath.resolve($0, in: here)] } ?? []
        arguments += app.map { ["--app", $0] } ?? []
        arguments += store.map { ["--store", FilePath.resolve($0, in: here)] } ?? []
        arguments += config.map { ["--config", FilePath.resolve($0, in: here)] } ?? []
        if readOnly { arguments.append("--read-only") }
        return arguments + launch.flatMap { ["--launch", $0] }
    }
}
