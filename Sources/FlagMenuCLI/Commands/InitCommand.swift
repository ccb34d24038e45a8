import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "init",
        abstract: "Write flagmenu.json for this folder; asks for the source and tests it.",
        usage: """
            flagmenu init [<options>]
            flagmenu init --source <source> --yes [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu init
              flagmenu init --source ofrep:https://flags.example.com --yes
              flagmenu init --source remote.json --app shop --yes

            The source is tested before anything is written. If it cannot be read, the error is printed as in doctor; \
            with --yes the file is written anyway and init exits with 0; doctor exits with the code of the error.

            Credentials are never written, only the names of their variables and files. \
            flagmenu status --project-schema lists every setting.
            """)

    @Option(
        help: ArgumentHelp(
            "A setting of the source, such as tokenVariable=SHOP_TOKEN; repeatable.", valueName: "name=value"))
    var setting: [String] = []

    @Flag(help: "Write what the options say; do not ask.")
    var yes = false

    @Flag(help: "Replace an existing flagmenu.json.")
    var replace = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        let environment = Environment.current()
        try requireChanges(environment)
        let path = FilePath.join(environment.workingDirectory, ProjectFile.name)
        guard yes || TerminalPrompt.isPossible else {
            throw CommandFailure(.usage, "init needs --source and --yes without a terminal. Nothing was written.")
        }
        guard !yes || !options.source.isEmpty else {
            throw CommandFailure(.usage, "init --yes needs --source. Nothing was written.")
        }
        guard try mayWrite(path) else { return StandardError.printLine("Nothing was written.") }
        let prompts = InitPrompts(environment: environment)
        let given = try given(prompts)
        var draft = try yes ? given : prompts.complete(given)
        // The default app id is the name of the folder. The file contains this id, so that the overrides are still
        // found after the folder is renamed.
        if draft.app == nil, AppFolders.isName(prompts.folderName) { draft.app = prompts.folderName }
        let project = try ProjectFile(Array(draft.text.utf8), path: path, environment, prompts.registry)
        let settings = try settings(project, environment)
        let findings = Finding.remote(settings)
        let failure = findings.compactMap(\.failure).first
        report(draft, findings, path)
        let prompt = failure == nil ? "Write it?" : "There are errors. Write it anyway?"
        guard yes || TerminalPrompt.agreement(prompt, isYesDefault: failure == nil) else {
            return StandardError.printLine("Nothing was written.")
        }
        _ = try DurableFile.replace(path, with: Array(draft.text.utf8), audience: .everyone)
        _ = try ProjectTrust(path, environment).allow(project.permissions(environment))
        printWritten(path, findings, environment)
        if !options.quiet, let sentence = settings.earlierOverrides { StandardError.printWrapped(sentence) }
    }

    /// Runs the prompts of `init` with these options, and writes the file.
    ///
    /// - Returns: whether a project file exists afterwards.
    static func write(with options: GlobalOptions) throws -> Bool {
        var command = try parse([])
        command.options = options.opening(.newProject, .current())
        try command.run()
        return try ProjectFile.find(.current()) != nil
    }

    /// Throws an error if changes are disabled. A project file of another user does not apply.
    private func requireChanges(_ environment: Environment) throws(CommandFailure) {
        var project: ProjectFile?
        if let nearest = try ProjectFile.nearest(environment), try !ProjectTrust(nearest.path, environment).isForeign {
            project = try ProjectFile.find(environment)
        }
        let configuration = try Configuration(options.values, environment, project)
        if let rejection = configuration.readOnlyReason {
            throw CommandFailure(configuration.readOnlyStatus, rejection)
        }
    }

    /// Whether the file may be written: it does not exist, or the user agrees to replace it.
    private func mayWrite(_ path: String) throws -> Bool {
        let exists = try CommandFailure.converting(to: .usage) { try DurableFile.exists(path) }
        guard try !ProjectTrust(path, .current()).isForeign else {
            throw CommandFailure(
                .usage, "\(path) belongs to another user. Nothing was written. Work in another folder.")
        }
        guard exists, !replace else { return true }
        guard !yes else {
            throw CommandFailure(.usage, "\(path) already exists; --replace replaces it. Nothing was written.")
        }
        return TerminalPrompt.agreement("\(path) already exists. Replace it?")
    }

    /// The draft with the values of the options.
    private func given(_ prompts: InitPrompts) throws(CommandFailure) -> ProjectDraft {
        var draft = ProjectDraft(options.values)
        guard setting.isEmpty || !draft.sources.isEmpty else {
            throw CommandFailure(.usage, "--setting belongs to a source; name it with --source. Nothing was written.")
        }
        for typed in setting {
            try draft.sources[0].add(typed, in: prompts.environment.workingDirectory, prompts.registry)
        }
        if let sentence = draft.sources.lazy.compactMap(prompts.invalidReason(to:)).first {
            throw CommandFailure(.usage, "\(sentence) Nothing was written.")
        }
        return draft
    }

    /// The settings of a run with the project file, without options and variables that would override the file.
    private func settings(_ project: ProjectFile, _ environment: Environment) throws(CommandFailure) -> Settings {
        var options = self.options
        (options.source, options.app, options.defaults, options.store) = ([], nil, nil, nil)
        var environment = environment
        for name in Self.overridingVariables { environment.variables[name] = nil }
        return try Settings(options.values, environment: environment, project: project)
    }

    /// The environment variables that override the project file.
    private static let overridingVariables = ["FLAGMENU_SOURCE", "FLAGMENU_APP", "FLAGMENU_DEFAULTS", "FLAGMENU_STORE"]

    private func report(_ draft: ProjectDraft, _ findings: [Finding], _ path: String) {
        guard !options.json else { return }
        if !yes {
            StandardError.write("\n")
            StandardError.printWrapped("\(path) will contain:")
            ([""] + draft.text.split(separator: "\n").map { "  \($0)" } + [""]).forEach(StandardError.printLine)
        }
        guard !options.quiet || findings.contains(where: { $0.failure != nil }) else { return }
        findings.flatMap { $0.lines(columns: LineWidth.ofErrors) }.forEach(StandardError.printLine)
    }

    private func printWritten(_ path: String, _ findings: [Finding], _ environment: Environment) {
        if options.json {
            JSONOutput.object([
                ("written", .string(path)), ("findings", .array(findings.map(\.json))),
            ]).print()
        } else if !options.quiet {
            StandardError.printWrapped("Wrote \(path). flagmenu opens the menu; flagmenu doctor checks it.")
        }
        for name in Self.overridingVariables where environment[name] != nil {
            StandardError.warn("\(name) is set and overrides the file.")
        }
    }
}
