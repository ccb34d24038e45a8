import ArgumentParser
import DeveloperMenu
import DeveloperMenuTerminal
import FlagModel
import FlagRemote
import FlagStorage
import Flags
import TerminalShell

/// `flagmenu menu`, which is also `flagmenu` alone.
struct MenuCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "menu", abstract: "Open the menu.", usage: "flagmenu [menu] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu --source remote.json
              flagmenu menu --launch enable_multiple_locations=true

            In the menu, ? shows every key.
            """)

    @ArgumentParser.Flag(help: "Begin with all flags in view, not as the menu was left.")
    var fresh = false

    @OptionGroup var options: GlobalOptions

    @ArgumentParser.Flag(
        help: "Talk in lines instead of painting a screen, for screen readers; also where TERM is dumb or not set.")
    var accessible = false

    func run() throws {
        let settings = try Settings(options)
        let run = try RunStore(settings)
        let menu = TerminalMenu(
            flags: run.flags, store: run.store,
            subject: MenuState.Subject(
                app: settings.app, source: run.sourceTitle, needsSource: true, arguments: options.arguments(settings)),
            settings: menuSettings(run))
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
        case .withoutSource(let reason): throw CommandFailure(status(withoutSource: run), reason)
        }
    }

    /// With what number a command would end that finds nothing to work with.
    private func status(withoutSource run: RunStore) -> ExitStatus {
        do throws(CommandFailure) {
            try run.requireValues(in: run.flags.remote.current)
            return .usage
        } catch {
            return error.status
        }
    }

    private func menuSettings(_ run: RunStore) -> MenuSettings {
        let settings = run.settings
        var menu = MenuSettings(reports: MenuReports(run))
        menu.greeting = greeting(settings)
        menu.preferences = settings.followed.port
        menu.session = SessionFile(settings).port(isFresh: fresh)
        menu.editing = EditingFolder(FilePath.join(settings.stateDirectory, "editing"))
        menu.startFetch = .unanswered
        menu.isOpeningStore = true
        menu.isReadOnly = { settings.readOnlyRefusal != nil }
        return menu
    }

    /// Whoever asks for lines gets them anywhere, also from a script; a terminal that cannot place its cursor gets them
    /// without asking.
    private func talksInLines(_ settings: Settings) -> Bool {
        if accessible || settings.preferences.isAccessible { return true }
        let name = settings.environment["TERM"]
        return (name == nil || name == "dumb") && StandardInput.isTerminal && StandardOutput.isTerminal
    }

    private func greeting(_ settings: Settings) -> String? {
        if let remark = settings.project?.remarks.first { return remark }
        guard settings.isSample else { return nil }
        let document = ReadableDocuments.first(in: settings.environment.workingDirectory)
        guard let document else { return "This is the built-in sample. flagmenu --source FILE opens yours." }
        let word = ShellCommand.word(document)
        return "This is the built-in sample. flagmenu --source \(word) opens the document here, flagmenu init keeps it."
    }

    /// Without a terminal that can show the menu there is still the list, and a sentence that says why.
    private func end(with error: TerminalError, _ settings: Settings) throws -> Never {
        if case .outputFull = error.code { throw CommandFailure(.store, error.description) }
        if error.isEndFromOutside { throw ExitCode(error.exitStatus) }
        let workspace = try Workspace.open(settings)
        workspace.remarks.forEach(StandardError.warn)
        ListCommand.write(workspace.board.places, of: workspace)
        try StandardOutput.flush()
        throw CommandFailure(.usage, error.description)
    }
}
