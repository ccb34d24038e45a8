import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

struct ScenarioApplyCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "apply", abstract: "Make the changes of a scenario.",
        usage: "flagmenu scenario apply <name> [--replace | --add] [--dry-run] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu scenario apply checkout
              flagmenu scenario apply checkout --replace
              flagmenu scenario apply checkout --add --dry-run

            Without --replace and --add, shows what would change and asks. If somebody changes something meanwhile, nothing \
            is changed. Everything is one change in the history. Entries that do not fit the flags any more are left out, \
            with a warning.
            """)

    @Argument(help: "The scenario.", completion: Completions.scenarios)
    var name: String

    @Flag(help: "Reset changes that the scenario does not have.")
    var replace = false

    @Flag(help: "Keep changes that the scenario does not have.")
    var add = false

    @Flag(help: "Only show what would change.")
    var dryRun = false

    @OptionGroup var waiting: WaitOptions

    @OptionGroup(title: "General options") var options: GlobalOptions

    func validate() throws {
        guard !replace || !add else { throw ValidationError("Use --replace or --add, but not both.") }
    }

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let settings = workspace.settings
        let scenario = try workspace.scenario(name)
        if !settings.isQuiet { scenario.leftOut.forEach { StandardError.warn($0.sentence) } }
        let applied = scenario.plan.applied(as: name)
        guard scenario.count == 0 || !applied.overrides.isEmpty || !applied.contexts.isEmpty else {
            throw CommandFailure(.invalidValue, "Nothing of \(name) can be applied here. Nothing was changed.")
        }
        guard !dryRun else {
            preview(scenario, over: workspace.reading.table)
            if settings.isJSON {
                json(of: scenario.applying(over: workspace.reading.table, replacing: !add)).print()
            }
            return
        }
        guard replace || add || TerminalPrompt.isPossible else {
            throw CommandFailure(
                .usage, "scenario apply needs --replace or --add without a terminal. Nothing was changed.")
        }
        guard let isReplacing = replace || add ? replace : choice(of: scenario, over: workspace.reading.table) else {
            return settings.printLine("Nothing was changed.")
        }
        let plan = scenario.applying(over: workspace.reading.table, replacing: isReplacing)
        let commit = try apply(plan, of: scenario, in: workspace)
        settings.printLine("Applied \(name). \(plan.summary)")
        try workspace.wait(
            waiting.time?.seconds, for: plan.edits.flatMap(\.keysSet) + commit.changes.map(\.key), after: commit)
    }

    /// Applies a plan, unless the changes over which it was made have changed since.
    private func apply(
        _ plan: ScenarioPlan, of scenario: CheckedScenario, in workspace: Workspace
    ) throws(CommandFailure) -> StoreCommit {
        let edits = plan.edits
        var isCurrent = true
        let commit = try workspace.apply(label: edits.label) { table in
            isCurrent = table.revision == workspace.reading.table.revision
            return isCurrent ? edits : []
        }
        guard isCurrent else {
            preview(scenario, over: commit.table)
            throw CommandFailure(
                .noMatch, "Your changes have changed meanwhile, as shown above. Nothing was applied; apply it again.")
        }
        return commit
    }

    /// Whether changes that the scenario does not have are reset, as the user chooses; `nil` if nothing is to be applied.
    private func choice(of scenario: CheckedScenario, over table: OverrideTable) -> Bool? {
        preview(scenario, over: table)
        return switch TerminalPrompt.word("Apply \(name)? r replaces, a adds, anything else changes nothing:") {
        case "r": true
        case "a": false
        default: nil
        }
    }

    /// Prints what applying a scenario would change, in three columns.
    private func preview(_ scenario: CheckedScenario, over table: OverrideTable) {
        let (adding, replacing) = (
            scenario.applying(over: table, replacing: false), scenario.applying(over: table, replacing: true)
        )
        let shown = add ? adding : replacing
        let rows = shown.lines.filter { $0.effect != .keep }.map { line in
            [line.key] + [line.now, line.scenario, line.after].map(EffectiveChange.shown) + [line.effect.rawValue]
        }
        if !rows.isEmpty {
            ([["", "now", "scenario", "after", ""]] + rows).table(columns: LineWidth.ofErrors)
                .forEach(StandardError.printLine)
        }
        let summary =
            add || replace
            ? shown.summary : "Replacing: \(replacing.summary) Adding: \(adding.summary)"
        StandardError.printLine(summary)
    }

    private func json(of plan: ScenarioPlan) -> JSONOutput {
        let lines = plan.lines.map { line in
            JSONOutput.object([
                ("key", .string(line.key)), ("now", FlagJSON.text(line.now)),
                ("scenario", FlagJSON.text(line.scenario)), ("after", FlagJSON.text(line.after)),
                ("effect", line.effect == .keep ? .null : .string(line.effect.rawValue)),
            ])
        }
        return .object([
            ("scenario", .string(name)), ("replace", .bool(plan.isReplacing)), ("planned", .array(lines)),
            ("leftOut", .array(plan.leftOut.map(\.json))),
        ])
    }
}
