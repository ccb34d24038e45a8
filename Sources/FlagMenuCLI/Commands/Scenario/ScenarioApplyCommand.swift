import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

struct ScenarioApplyCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "apply", abstract: "Make the changes of a scenario.",
        usage: "flagmenu scenario apply <name> [--replace | --add] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu scenario apply checkout
              flagmenu scenario apply checkout --add --dry-run

            Without --replace and --add, shows what would change and asks. Nothing is changed if somebody else changes \
            something meanwhile. Entries that do not fit the flags any more are left out, with a warning.
            """)

    @Argument(help: "The scenario.", completion: Completions.scenarios) var name: String

    @Flag(help: "Reset changes that the scenario does not have.") var replace = false

    @Flag(help: "Keep changes that the scenario does not have.") var add = false

    @Flag(help: "Only show what would change.") var dryRun = false

    @OptionGroup var ends: EndOptions

    @OptionGroup var waiting: WaitOptions

    @OptionGroup(title: "General options") var options: GlobalOptions

    private typealias Plans = (adding: ScenarioPlan, replacing: ScenarioPlan)

    func validate() throws {
        guard !replace || !add else { throw ValidationError("Use --replace or --add, but not both.") }
    }

    func run(in workspace: Workspace) throws {
        try workspace.requireOverrides()
        let (settings, table) = (workspace.settings, workspace.reading.table)
        let file = try workspace.scenario(name).file
        func plans(over table: OverrideTable) throws -> Plans {
            (try workspace.plan(file, over: table), try workspace.plan(file, replacing: true, over: table))
        }
        let shown = try plans(over: table)
        let (leftOut, applied) = (workspace.leftOut(of: shown.adding), shown.adding.applied)
        settings.warn(leftOut)
        guard leftOut.isEmpty || !applied.overrides.isEmpty || !applied.contexts.isEmpty else {
            throw CommandFailure(.invalidValue, "Nothing of \(name) can be applied here. Nothing was changed.")
        }
        var choice: Bool? = replace || add ? replace : nil
        guard choice != nil || dryRun || TerminalPrompt.isPossible else {
            throw CommandFailure(
                .usage, "scenario apply needs --replace or --add without a terminal. Nothing was changed.")
        }
        if choice == nil || dryRun { preview(shown) }
        guard !dryRun else {
            let lines = (add ? shown.adding : shown.replacing).lines.filter { $0.effect != .keep }
            let planned = lines.map { ValueDifference(key: $0.key, old: $0.now, new: $0.after).json }
            return settings.isJSON ? JSONOutput.object([("planned", .array(planned))]).print() : ()
        }
        if choice == nil {
            let typed = TerminalPrompt.word("Apply \(name)? r replaces, a adds, anything else changes nothing:")
            choice = ["r": true, "a": false][typed ?? ""]
        }
        guard let isReplacing = choice else { return settings.printLine("Nothing was changed.") }
        let plan = isReplacing ? shown.replacing : shown.adding
        let edits = try plan.edits + plan.keysSet.flatMap(ends.edits(in: workspace))
        var isCurrent = true
        let commit = try workspace.apply(label: edits.label) { current in
            isCurrent = current.revision == table.revision
            return isCurrent ? edits : []
        }
        guard isCurrent else {
            preview(try plans(over: commit.table))
            throw CommandFailure(
                .noMatch, "Somebody has changed something meanwhile, as shown above. Nothing was applied; try again.")
        }
        settings.printLine("Applied \(name). \(plan.summary)")
        try workspace.wait(
            waiting.time?.seconds, for: plan.keysSet + commit.changes.map(\.key), after: commit)
    }

    /// Prints what applying a scenario would change, in three columns, with notes and ends below the values.
    private func preview(_ plans: Plans) {
        let plan = add ? plans.adding : plans.replacing
        let changed = plan.lines.filter { $0.effect != .keep }
        let rows = changed.map { line in
            [line.key] + [line.now, line.scenario, line.after].map(EffectiveChange.shown) + [line.effect.rawValue]
        }
        let lines = ([["", "now", "scenario", "after", ""]] + rows).table(columns: LineWidth.ofErrors)
        for (line, additions) in zip(lines, [[]] + changed.map(\.additions)) {
            StandardError.printLine(line)
            if !additions.isEmpty { StandardError.printLine("  \(additions.joined(separator: ", "))") }
        }
        StandardError.printLine(
            add || replace
                ? plan.summary : "r: \(plans.replacing.summary.decapitalized) a: \(plans.adding.summary.decapitalized)")
    }
}
