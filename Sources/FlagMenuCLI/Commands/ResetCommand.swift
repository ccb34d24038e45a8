import ArgumentParser
import FlagModel
import FlagPresence
import FlagQueries
import FlagStorage
import FlagWorkspace

struct ResetCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "reset", abstract: "Remove overrides, so that the remote values are used again.",
        usage: """
            flagmenu reset <key> ... [<options>]
            flagmenu reset --category <category> [--yes] [<options>]
            flagmenu reset --matching <filter> [--yes] [<options>]
            flagmenu reset --all [--yes] [<options>]
            flagmenu reset (<key> ... | --all | ...) --layer team [--yes] [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu reset enable_multiple_locations
              flagmenu reset --category Location
              flagmenu reset --all --yes

            \(FilterHelp.text)
            """,
        aliases: ["clear", "unset", "rm", "remove", "delete"])

    @Argument(help: "Keys of flags.", completion: Completions.overriddenKeys)
    var keys: [String] = []

    @Option(help: "All flags of a category.", completion: Completions.categories)
    var category: String?

    @Option(help: ArgumentHelp("All flags that a filter matches.", valueName: "filter"))
    var matching: String?

    @Flag(help: "All changes: overrides, contexts and conditions.")
    var all = false

    @OptionGroup var layer: LayerOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Only show what would change.")
    var dryRun = false

    @OptionGroup var waiting: WaitOptions

    @OptionGroup(title: "General options") var options: GlobalOptions

    func validate() throws {
        let selectionCount = [!keys.isEmpty, category != nil, matching != nil, all].count { $0 }
        guard selectionCount == 1 else {
            throw ValidationError("Name keys, or --category, or --matching, or --all, but only one of them.")
        }
        try layer.reject("--wait", if: waiting.time != nil)
    }

    func needsTeam(in workspace: Workspace) -> Bool { layer.isTeam }

    func isLocal(in workspace: Workspace) -> Bool { all || !keys.isEmpty }

    func run(in workspace: Workspace) throws {
        guard !layer.isTeam else { return try resetTeam(workspace) }
        guard !all else { return try resetAll(workspace) }
        if keys.isEmpty || dryRun {
            let flags = try flags(in: workspace)
            let isMatching = category == nil
            let commit = try BulkChange(
                plan: .clearing(flags), workspace: workspace,
                name: isMatching ? "reset --matching" : "reset --category",
                noChangeSentence: isMatching ? "Nothing was changed." : "Nothing in this category is overridden."
            ).run(confirms: !yes, isDryRun: dryRun)
            if let commit { try workspace.wait(waiting.time?.seconds, for: flags.map(\.key), after: commit) }
            return
        }
        // Without remote values it is not known which keys exist.
        if workspace.missingValues == nil {
            for key in keys { _ = try workspace.facts(of: key) }
        }
        let commit = try workspace.apply(keys.map(OverrideEdit.clear))
        if !workspace.settings.isQuiet {
            let changed = Set(commit.changes.map { FlagText($0.key) })
            for key in keys where !changed.contains(FlagText(key)) { StandardError.printLine("\(key): not overridden") }
        }
        try workspace.wait(waiting.time?.seconds, for: keys, after: commit)
    }

    /// The flags that a filter matches, of a category, or with the keys.
    private func flags(in workspace: Workspace) throws -> [FlagFacts] {
        if let matching { return try workspace.flags(matching: matching) }
        guard let category else { return try keys.map { try workspace.facts(of: $0) } }
        return try workspace.places(inCategory: category).map(workspace.board.facts(at:))
    }

    /// Removes values of the team: those of the flags that the arguments select.
    private func resetTeam(_ workspace: Workspace) throws {
        _ = try workspace.requireTeam()
        let flags =
            if let matching {
                try workspace.teamFlags(matching: matching)
            } else if all {
                workspace.teamOverrides.sortedByKey.map(\.key).map(workspace.factsOfAny)
            } else if category != nil {
                try self.flags(in: workspace)
            } else {
                keys.map(workspace.factsOfAny)
            }
        if keys.isEmpty { try workspace.requireCurrentTeam() }
        for flag in flags where flag.team == nil && keys.contains(flag.key) {
            _ = try workspace.facts(of: flag.key)
        }
        // Named keys are cleared even if the values that were read last do not have them: etcd knows.
        try BulkChange(
            plan: .clearing(flags, ofTeam: workspace.teamName), workspace: workspace, name: "reset --layer team",
            edits: keys.isEmpty ? nil : keys.map(OverrideEdit.clear), isOfTeam: true,
            noChangeSentence: "The team has no value for \(all ? "any flag" : "these flags")."
        ).run(confirms: !yes && keys.isEmpty, isDryRun: dryRun)
    }

    private func resetAll(_ workspace: Workspace) throws {
        // Overrides that cannot be read are cleared without a list to confirm.
        guard workspace.reading.areOverridesKnown || yes || dryRun else {
            try TerminalPrompt.require(for: "reset --all", outcome: "Nothing was changed.")
            guard TerminalPrompt.agreement("The overrides cannot be read. Keep their file aside and start empty?")
            else {
                return workspace.settings.printLine("Nothing was changed.")
            }
            return _ = try workspace.apply([.clearAll])
        }
        let board = workspace.board
        // After a confirmation, only the listed overrides are cleared: the user has not confirmed newer ones.
        let commit = try BulkChange(
            plan: .clearing(board.overriddenPlaces.map(board.facts(at:)), with: workspace.reading.table.contexts),
            workspace: workspace,
            name: "reset --all",
            edits: yes ? [.clearAll] : nil, noChangeSentence: "Nothing is overridden."
        ).run(confirms: !yes, isDryRun: dryRun)
        guard let commit, let seconds = waiting.time?.seconds else { return }
        // An earlier reset may have cleared a flag that an app still uses.
        let declared = workspace.runningApps.apps.flatMap { $0.flags.map(\.key) }
        let keys = Set((commit.changes.map(\.key) + declared).map { FlagText($0) })
        try workspace.wait(seconds, for: keys.sorted().map(\.string), after: commit)
    }
}
