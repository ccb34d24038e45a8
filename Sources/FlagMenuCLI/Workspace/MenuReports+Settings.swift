import ArgumentParser
import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagStorage

extension MenuReports {
    /// The menu's reports, by the same code as commands.
    init(_ run: RunStore) {
        self.init(lines: { Self.lines(of: $0, run) }, spared: { run.ownFiles })
        let environment = run.settings.environment
        folders = { (environment.homeDirectory, environment.workingDirectory) }
        connectionWarnings = { run.services.warnings }
        withoutValues = { state in
            do throws(CommandFailure) {
                try run.requireValues(in: state)
                return nil
            } catch {
                return error.sentence
            }
        }
    }

    private static func lines(of report: Report, _ run: RunStore) -> [String] {
        switch report {
        case .log, .sources: []
        case .status: StatusCommand.lines(of: Workspace(run))
        case .doctor: Finding.all(run.settings.withFileAsItIs).flatMap { $0.lines() }
        case .paths: PathsCommand.lines(of: run.settings)
        case .config: ConfigCommand.lines(of: run.settings.configuration)
        case .shell: shellLines
        }
    }

    /// Commands that are only useful in a shell, as their help shows them.
    private static var shellLines: [String] {
        let commands = [
            WatchCommand.configuration, CompletionsCommand.configuration, ManualCommand.configuration,
        ]
        let parts = commands.map { command in
            [command.abstract] + command.discussion.split(separator: "\n").dropFirst().map(String.init)
        }
        return Array(parts.joined(separator: [""]))
    }
}
