import ArgumentParser
import DeveloperMenu
import FlagModel
import FlagStorage

/// What commands that change many flags at once ask and tell, the same as the menu.
struct BulkChange {
    let question: BulkQuestion
    let workspace: Workspace
    /// The command, as messages name it.
    let name: String
    /// What is done in place of the question's own edits.
    var edits: [OverrideEdit]?
    /// What the history calls it; `nil` where the edits say it.
    var label: String?
    /// What is said where there is nothing to do.
    var nothing = "Nothing would change."

    /// Asks, unless told not to, and does it.
    ///
    /// - Returns: what was done; `nil` where nothing was.
    @discardableResult func run(asks: Bool, isDryRun: Bool) throws -> StoreCommit? {
        if !workspace.settings.isQuiet {
            for left in question.exceptions { StandardError.warn("\(left.key) is left out. \(left.reason)") }
        }
        if isDryRun {
            try workspace.requireOverrides()
            tellPlan()
            return nil
        }
        if asks, !question.lines.isEmpty, try !confirm() {
            workspace.settings.say("Nothing was changed.")
            return nil
        }
        let commit = try workspace.apply(edits ?? question.edits, label: label)
        if commit.changes.isEmpty, commit.notice == nil { workspace.settings.say(nothing) }
        return commit
    }

    private var differences: [ValueDifference] {
        question.lines.map { ValueDifference(key: $0.key, old: $0.before, new: $0.after) }
    }

    /// What would change, one line a flag.
    private func tellPlan() {
        if workspace.settings.isJSON {
            JSONOutput.object([("planned", .array(differences.map(\.json)))]).print()
        } else {
            for difference in differences { StandardError.say(difference.sentence()) }
            if differences.isEmpty { StandardError.say("Nothing would change.") }
        }
    }

    /// Asks on a terminal, with the list; elsewhere nobody can answer.
    private func confirm() throws -> Bool {
        try Ask.require(for: name, outcome: "Nothing was changed.")
        for difference in differences { StandardError.say("  \(difference.sentence())") }
        return Ask.agreement(question.title)
    }
}
