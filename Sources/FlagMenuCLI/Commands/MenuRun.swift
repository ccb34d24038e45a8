import ArgumentParser
import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagStorage
import Synchronization
import TerminalShell

/// One run of the menu, however its arguments were read.
struct MenuRun: Equatable {
    let options: GivenOptions
    /// Whether it begins with all flags in view.
    let isFresh: Bool
    /// Whether it talks in lines wherever it runs.
    let isAccessible: Bool

    func run() throws {
        let settings = try Settings(options)
        let files = RemoteFiles(settings)
        let menu = TerminalMenu(
            subject: MenuState.Subject(
                app: settings.app, source: files.name, needsSource: true, arguments: options.arguments(settings)),
            store: Workspace.makeStore(settings), remote: files.port, commands: MenuFiles(settings: settings).port,
            launch: settings.launch, greeting: greeting(settings),
            preferences: settings.followed.port,
            session: SessionFile(settings).port(isFresh: isFresh),
            editing: EditingFolder(FilePath.join(settings.stateDirectory, "editing")),
            now: SystemClock.now)
        let left: MenuEnd
        do throws(TerminalError) {
            let terminal = TerminalOptions(
                isColorAllowed: settings.isColorAllowed, isAskingAllowed: settings.preferences.detectsBackground)
            left = talksInLines(settings) ? try menu.runInLines() : try menu.run(terminal)
        } catch {
            try end(with: error, settings)
        }
        if let sentence = left.lastingOverrides, !settings.isQuiet { StandardError.say(sentence) }
        switch left.ending {
        case .left: break
        case .interrupted: throw CommandFailure(.interrupted, "")
        case .withoutSource(let reason): throw CommandFailure(status(withoutSource: files), reason)
        }
    }

    /// With what number a command would end that finds nothing to work with.
    private func status(withoutSource files: RemoteFiles) -> ExitStatus {
        guard let state = files.state.withLock({ $0 }) else { return .usage }
        do throws(CommandFailure) {
            _ = try files.remote(state)
            return .usage
        } catch {
            return error.status
        }
    }

    /// Whoever asks for lines gets them anywhere, also from a script; a terminal that cannot place its cursor gets them
    /// without asking.
    private func talksInLines(_ settings: Settings) -> Bool {
        if isAccessible || settings.preferences.isAccessible { return true }
        let name = settings.environment["TERM"]
        return (name == nil || name == "dumb") && StandardInput.isTerminal && StandardOutput.isTerminal
    }

    private func greeting(_ settings: Settings) -> String? {
        if let remark = settings.project?.remarks.first { return remark }
        guard settings.isSample else { return nil }
        return "This is the built-in sample. flagmenu --source FILE opens yours."
    }

    /// Without a terminal that can show the menu there is still the list, and a sentence that says why.
    private func end(with error: TerminalError, _ settings: Settings) throws -> Never {
        if error.isEndFromOutside { throw ExitCode(error.exitStatus) }
        let workspace = try Workspace.open(settings)
        workspace.remarks.forEach(StandardError.warn)
        ListCommand.write(workspace.board.places, of: workspace)
        try StandardOutput.flush()
        throw CommandFailure(.usage, error.description)
    }
}
