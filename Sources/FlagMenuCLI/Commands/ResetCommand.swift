import ArgumentParser
import DeveloperMenu
import FlagModel
import FlagStorage

/// `flagmenu reset`.
struct ResetCommand: WorkspaceCommand {
    static let configuration = CommandConfiguration.command(
        "reset", abstract: "Remove overrides, so that the remote values are used again.",
        usage: """
            flagmenu reset <key> ... [<options>]
            flagmenu reset --category <category> [<options>]
            flagmenu reset --matching <filter> [--yes] [<options>]
            flagmenu reset --all [--yes] [<options>]
            flagmenu reset (<key> ... | --all) --layer team [--yes] [<options>]
            """,
        discussion: """
            EXAMPLES:
              flagmenu reset enable_multiple_locations
              flagmenu reset --category Location
              flagmenu reset --all --yes

            \(FilterHelp.text)
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Keys of flags.", completion: .custom { words, _, _ in Completions.overriddenKeys(words) })
    var keys: [String] = []

    @Option(help: "All flags of a category.", completion: .custom { words, _, _ in Completions.categories(words) })
    var category: String?

    @Option(help: ArgumentHelp("All flags that a filter matches.", valueName: "filter"))
    var matching: String?

    @Flag(help: "All overrides.")
    var all = false

    @Option(help: "override (this machine, the default) or team (everyone who uses the team).")
    var layer = LayerChoice.override

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Only show what would change.")
    var dryRun = false

    func validate() throws {
        let selectionCount = [!keys.isEmpty, category != nil, matching != nil, all].count { $0 }
        guard selectionCount == 1 else {
            throw ValidationError("Name keys, or --category, or --matching, or --all, but only one of them.")
        }
        guard layer == .override || category == nil && matching == nil else {
            throw ValidationError("--layer team needs keys, or --all.")
        }
    }

    func needsTeam(in workspace: Workspace) -> Bool { layer == .team && (all || dryRun) }

    func isLocal(in workspace: Workspace) -> Bool { all || !keys.isEmpty }

    func run(in workspace: Workspace) throws {
        guard layer == .override else { return try resetTeam(workspace) }
        if let matching {
            try run(.clearing(try workspace.flags(matching: matching)), in: workspace)
        } else if all {
            try resetAll(workspace)
        } else if dryRun {
            try run(.clearing(try flags(in: workspace)), in: workspace)
        } else if let category {
            let places = try workspace.places(inCategory: category).filter(workspace.board.isOverridden)
            try reset(places.map { workspace.board.key(at: $0).string }, in: workspace)
        } else {
            // Without remote values it is not known which keys exist.
            if workspace.missingValues == nil { for key in keys { _ = try workspace.facts(of: key) } }
            try reset(keys, in: workspace)
        }
    }

    private func reset(_ keys: [String], in workspace: Workspace) throws {
        let commit = try workspace.apply(keys.map(OverrideEdit.clear))
        guard !workspace.settings.isQuiet else { return }
        let changed = Set(commit.changes.map(\.key))
        for key in keys where !changed.contains(key) { StandardError.printLine("\(key): not overridden") }
        if keys.isEmpty { StandardError.printLine("Nothing in this category is overridden.") }
    }

    /// Removes team values: those of the keys, or all that are listed in the confirmation.
    private func resetTeam(_ workspace: Workspace) throws {
        _ = try workspace.requireTeam()
        let overrides = workspace.teamOverrides
        let listedKeys = all ? overrides.keys.sorted() : keys
        let differences = listedKeys.map { ValueDifference(key: $0, old: overrides[$0]?.value, new: nil) }
        if dryRun { return differences.forEach { StandardError.printLine($0.sentence()) } }
        if all, !yes, !listedKeys.isEmpty {
            try TerminalPrompt.require(for: "reset --all --layer team", outcome: "Nothing was changed.")
            for difference in differences { StandardError.printLine("  \(difference.sentence())") }
            let count = listedKeys.count.counted("value")
            guard TerminalPrompt.agreement("Clear the \(count) listed of the team \(workspace.teamName)?") else {
                return workspace.settings.printLine("Nothing was changed.")
            }
        }
        let hasChanged = try workspace.changeTeam(all && yes ? [.clearAll] : listedKeys.map(OverrideEdit.clear))
        if !hasChanged {
            workspace.settings.printLine("The team has no value for \(all ? "any flag" : "these flags").")
        }
    }

    private func run(_ dialog: BulkDialog, in workspace: Workspace) throws {
        try BulkChange(dialog: dialog, workspace: workspace, name: "reset --matching")
            .run(confirms: !yes, isDryRun: dryRun)
    }

    /// The flags that the arguments select by key or by category.
    private func flags(in workspace: Workspace) throws -> [FlagFacts] {
        guard let category else { return try keys.map { try workspace.facts(of: $0) } }
        return try workspace.places(inCategory: category).map(workspace.board.facts(at:))
    }

    private func resetAll(_ workspace: Workspace) throws {
        if !workspace.reading.areOverridesKnown, !yes, !dryRun { return try resetUnreadable(workspace) }
        let board = workspace.board
        // After a confirmation, only the listed overrides are cleared: the user has not confirmed newer ones.
        try BulkChange(
            dialog: .clearing(board.overriddenPlaces.map(board.facts(at:))), workspace: workspace,
            name: "reset --all",
            edits: yes ? [.clearAll] : nil, noChangeSentence: "Nothing is overridden."
        ).run(confirms: !yes, isDryRun: dryRun)
    }

    /// Clears overrides that cannot be read, without a list to confirm.
    private func resetUnreadable(_ workspace: Workspace) throws {
        try TerminalPrompt.require(for: "reset --all", outcome: "Nothing was changed.")
        guard TerminalPrompt.agreement("The overrides cannot be read. Keep their file aside and start empty?") else {
            return workspace.settings.printLine("Nothing was changed.")
        }
        try workspace.apply([.clearAll])
    }
}
