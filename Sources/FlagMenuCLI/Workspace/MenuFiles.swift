import ArgumentParser
import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagStorage

/// What the menu shows and does by the same code as commands: reports, exports and imports.
struct MenuFiles: Sendable {
    let settings: Settings

    /// The way from the menu to the commands.
    var port: CommandPort { CommandPort(report: report, export: export, readImport: readImport) }

    @Sendable private func report(_ report: Report) -> Event {
        do {
            return .reportRead(report, lines: try lines(of: report))
        } catch {
            return .reportRead(report, lines: [Self.sentence(error)])
        }
    }

    private func lines(of report: Report) throws -> [String] {
        switch report {
        case .log, .sources: return []
        case .history: return try HistoryCommand.lines(of: Workspace.makeStore(settings), limit: Self.historyLimit)
        case .status: return StatusCommand.lines(of: try Workspace.open(settings))
        case .doctor: return Finding.all(settings.withFileAsItIs).flatMap { $0.lines() }
        case .paths: return PathsCommand.lines(of: settings)
        case .config: return ConfigCommand.lines(of: settings.configuration)
        case .shell: return Self.shellLines
        }
    }

    /// More than anybody scrolls through; `flagmenu history` has all.
    private static let historyLimit = 500

    /// Commands that only make sense in a shell, as their own help shows them.
    private static var shellLines: [String] {
        let commands = [
            WatchCommand.configuration, CompletionsCommand.configuration, ManualCommand.configuration,
        ]
        let parts = commands.map { command in
            [command.abstract] + command.discussion.split(separator: "\n").dropFirst().map(String.init)
        }
        return Array(parts.joined(separator: [""]))
    }

    @Sendable private func export(_ typed: String, isReplacing: Bool) -> Event {
        do {
            let store = Workspace.makeStore(settings)
            let target = OwnFiles(settings, store).target(place(typed))
            if try ExportCommand.isTaken(target), !isReplacing { return .fileExists(path: typed) }
            // Overrides are the store's alone: nobody has to be asked for them.
            let count = try ExportCommand.write(store.read(), to: target)
            return .exported(path: target.path, summary: "\(count) written to \(target.path).")
        } catch {
            return .fileRefused(reason: Self.sentence(error))
        }
    }

    @Sendable private func readImport(_ typed: String) -> Event {
        let path = place(typed)
        do {
            let workspace = try Workspace.open(settings)
            let values = try ImportFile(path: path, origin: path).values(workspace, allowsAny: false, allowsNew: false)
            return .importRead(path: path, values: values)
        } catch {
            return .fileRefused(reason: Self.sentence(error))
        }
    }

    private static func sentence(_ error: any Error) -> String {
        (error as? CommandFailure)?.sentence ?? "\(error)"
    }

    private func place(_ typed: String) -> String {
        FilePath.typed(typed, home: settings.environment.homeDirectory, in: settings.environment.workingDirectory)
    }
}
