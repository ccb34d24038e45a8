import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

/// Confirms, applies and prints a command's change of many flags. The texts are those of the menu's dialog.
struct BulkChange {
    let plan: BulkPlan
    let workspace: Workspace
    /// The name of the command, for messages.
    let name: String
    /// The edits to apply; `nil` for the edits of the plan.
    var edits: [OverrideEdit]?
    /// The label in the history; `nil` for the default label of the edits.
    var label: String?
    /// Whether the values of the team are changed instead of the overrides of this machine.
    var isOfTeam = false
    /// Returns the edits of the note and the end of a flag that gets a value, or already has it.
    var additions: (String) -> [OverrideEdit] = { _ in [] }
    /// Whether values stay that a running app cannot read.
    var allowsAny = false
    /// The sentence to print if nothing changes.
    var noChangeSentence = "Nothing was changed."

    /// Applies the change, or prints it in a dry run.
    ///
    /// - Parameter confirms: whether to ask the user first.
    /// - Returns: the commit; `nil` if none was made on this machine.
    @discardableResult func run(confirms: Bool, isDryRun: Bool) throws -> StoreCommit? {
        let settings = workspace.settings
        settings.warn(plan.exceptions.map(\.sentence))
        let differences = plan.lines.map { ValueDifference(key: $0.key, old: $0.before, new: $0.after) }
        let old = isOfTeam ? workspace.teamOverrides : workspace.reading.table.overrides
        let isShown = isDryRun || confirms
        let additions = isShown ? workspace.additions(by: flagEdits.flatMap { $0 }, to: old) : []
        let lines = differences.map { $0.sentence() } + additions
        if isDryRun {
            if !isOfTeam { try workspace.requireOverrides() }
            guard !settings.isJSON else {
                JSONOutput.object([("planned", .array(differences.map(\.json)))]).print()
                return nil
            }
            (lines.isEmpty ? ["Nothing would change."] : lines).forEach(StandardError.printLine)
            return nil
        }
        if confirms, !lines.isEmpty {
            try TerminalPrompt.require(for: name, outcome: "Nothing was changed.")
            for line in lines { StandardError.printLine("  \(line)") }
            // The outcome names the team.
            if isOfTeam { StandardError.printLine(plan.outcome) }
            guard TerminalPrompt.agreement(plan.title) else {
                settings.printLine("Nothing was changed.")
                return nil
            }
        }
        guard !isOfTeam else {
            if try !workspace.changeTeam(flagEdits) { settings.printLine(noChangeSentence) }
            return nil
        }
        let commit = try workspace.apply(flagEdits.flatMap { $0 }, label: label, allowsAny: allowsAny)
        if commit.isEmpty, commit.notice == nil { settings.printLine(noChangeSentence) }
        return commit
    }

    /// The edits of each flag.
    private var flagEdits: [[OverrideEdit]] {
        (edits ?? plan.edits).map { [$0] + $0.keysSet.flatMap(additions) }
            + plan.unchanged.map(additions).filter { !$0.isEmpty }
    }
}
