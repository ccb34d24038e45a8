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
            flagmenu init --agent [--write-config <client>] [--replace] [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu init
              flagmenu init --source ofrep:https://flags.example.com --yes
              flagmenu init --source remote.json --app shop --yes
              flagmenu init --agent --write-config claude-code

            The source is tested before anything is written. If it cannot be read, the error is printed as in doctor; \
            with --yes the file is written anyway and init exits with 0; doctor exits with the code of the error.

            Credentials are never written, only the names of their variables and files. \
            flagmenu status --project-schema lists every setting.

            --agent prints what to enter into the configuration of a coding agent, so that it starts flagmenu mcp. \
            --write-config writes it for one of them; everything else in its file stays, also another entry named \
            flagmenu, unless --replace is given. Add --write to the arguments to let the agent change overrides.
            """)

    @Option(
        help: ArgumentHelp(
            "A setting of the source, such as tokenVariable=SHOP_TOKEN; repeatable.", valueName: "name=value"))
    var setting: [String] = []

    @Flag(help: "Write what the options say; do not ask.")
    var yes = false

    @Flag(help: "Replace an existing flagmenu.json, or with --agent an existing entry.")
    var replace = false

    @Flag(help: "Print the configuration of coding agents instead.")
    var agent = false

    @Option(
        help: ArgumentHelp(
            "With --agent, write the configuration of this client: claude-code, claude-desktop, cursor or vscode; repeatable.",
            valueName: "client"))
    var writeConfig: [AgentClient] = []

    @OptionGroup(title: "General options") var options: GlobalOptions

    func validate() throws {
        guard agent || writeConfig.isEmpty else { throw ValidationError("--write-config is for --agent.") }
    }

    func run() throws {
        guard !agent else { return try configureAgents() }
        let environment = Environment.current()
        let path = FilePath.join(environment.workingDirectory, ProjectFile.name)
        try requireWriting(to: path, environment)
        let prompts = InitPrompts(options: options, environment: environment)
        var draft = ProjectDraft(options.values)
        // The file contains the app id even if it is the name of the folder, so that the overrides are still found
        // after the folder is renamed.
        if yes, draft.app == nil { draft.app = FilePath.name(of: environment.workingDirectory) }
        _ = try CommandFailure.converting(to: .usage) { () throws(CommandFailure) in
            for typed in setting { try draft.set(typed, in: environment.workingDirectory, prompts.registry) }
            return try prompts.settings(of: draft)
        } sentence: {
            "\($0.sentence) Nothing was written."
        }
        if !yes { try prompts.complete(&draft) }
        let findings = try test(&draft, prompts)
        guard yes || agrees(to: draft, path, findings) else {
            return StandardError.printLine("Nothing was written.")
        }
        let settings = try prompts.settings(of: draft)
        _ = try DurableFile.replace(path, with: Array(draft.text.utf8), audience: .everyone)
        _ = try ProjectTrust(path, environment).allow(settings.project?.permissions(environment) ?? [])
        if options.json {
            JSONOutput.object([("written", .string(path)), ("findings", .array(findings.map(\.json)))]).print()
        } else if !options.quiet {
            StandardError.printWrapped("Wrote \(path). flagmenu opens the menu; flagmenu doctor checks it.")
        }
        for name in InitPrompts.overridingVariables where environment[name] != nil {
            StandardError.warn("\(name) is set and overrides the file.")
        }
        if !options.quiet, let sentence = settings.earlierOverrides { StandardError.printWrapped(sentence) }
    }

    /// Prints the configuration of coding agents, or writes it.
    private func configureAgents() throws {
        let settings = try Settings(options.values)
        var (arguments, environment) = (options.arguments(settings), settings.environment)
        environment.workingDirectory = settings.project?.folder ?? environment.workingDirectory
        guard writeConfig.isEmpty else {
            try settings.requireChanges()
            for client in writeConfig {
                let path = try client.write(arguments, environment, replacesEntry: replace)
                settings.printLine("Wrote \(path). Start \(client.title) again.")
            }
            return
        }
        let clients = AgentClient.allCases.map { ($0, $0.path(environment), $0.text(arguments, environment)) }
        let entries = clients.map { client, path, text in
            JSONOutput.object([("client", .string(client.rawValue)), ("path", .string(path)), ("text", .string(text))])
        }
        options.print(
            .array(entries), or: clients.flatMap { ["\($0.title), \($1):"] + $2.indentedLines + [""] })
    }

    /// Requests the sources and prints the findings, again after each setting that the user types to correct an error.
    private func test(_ draft: inout ProjectDraft, _ prompts: InitPrompts) throws -> [Finding] {
        var findings: [Finding]
        var hasFailed: Bool
        repeat {
            findings = Finding.remote(try prompts.settings(of: draft))
            hasFailed = findings.failure != nil
            if !options.json, hasFailed || !options.quiet {
                findings.flatMap { $0.lines(columns: LineWidth.ofErrors) }.forEach(StandardError.printLine)
            }
        } while try !yes && hasFailed && prompts.correct(&draft)
        return findings
    }

    /// Shows the file, and asks whether to write it.
    private func agrees(to draft: ProjectDraft, _ path: String, _ findings: [Finding]) -> Bool {
        StandardError.printLine("")
        StandardError.printWrapped("\(path) will contain:")
        ([""] + draft.text.indentedLines + [""]).forEach(StandardError.printLine)
        let prompt = findings.failure == nil ? "Write it?" : "There are errors. Write it anyway?"
        return TerminalPrompt.agreement(prompt, isYesDefault: findings.failure == nil)
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

    /// Requires that changes are allowed, that the file does not exist or may be replaced, and that the user can be
    /// prompted for what the options do not say.
    private func requireWriting(to path: String, _ environment: Environment) throws {
        let nearest = try ProjectFile.nearest(environment)
        let isForeign = try nearest.map { try ProjectTrust($0.path, environment).isForeign } == true
        let exists = nearest?.path == path
        guard !exists || !isForeign else {
            throw CommandFailure(
                .usage, "\(path) belongs to another user. Nothing was written. Work in another folder.")
        }
        // A project file of another user, in a folder above, does not apply.
        let project = isForeign ? nil : try ProjectFile.find(environment)
        try Configuration(options.values, environment, project).requireChanges()
        guard yes ? !options.source.isEmpty : TerminalPrompt.isPossible else {
            throw CommandFailure(
                .usage, "init needs --source with --yes, and both without a terminal. Nothing was written.")
        }
        guard !exists || replace else {
            throw CommandFailure(.usage, "\(path) already exists; --replace replaces it. Nothing was written.")
        }
    }
}
