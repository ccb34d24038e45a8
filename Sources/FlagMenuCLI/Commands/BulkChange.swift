import ArgumentParser
import DeveloperMenu
import FlagModel
import FlagStorage

/// The dialog and output of commands that change many flags at once, the same as in the menu.
struct BulkChange {
    let question: BulkQuestion
    let workspace: Workspace
    /// The command as messages name it.
    let name: String
    /// The edits in place of the dialog's own.
    var edits: [OverrideEdit]?
    /// The label in the history; `nil` for that of the edits.
    var label: String?
    /// The message if there is nothing to do.
    var nothing = "Nothing would change."

    /// Confirms, unless told not to, and applies the change.
    ///
    /// - Returns: the commit; `nil` if nothing changed.
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

    /// Prints what would change, one line per flag.
    private func tellPlan() {
        if workspace.settings.isJSON {
            JSONOutput.object([("planned", .array(differences.map(\.json)))]).print()
        } else {
            for difference in differences { StandardError.say(difference.sentence()) }
            if differences.isEmpty { StandardError.say("Nothing would change.") }
        }
    }

    /// Confirms on a terminal, with the list; elsewhere there is no input.
    private func confirm() throws -> Bool {
        try Ask.require(for: name, outcome: "Nothing was changed.")
        for difference in differences { StandardError.say("  \(difference.sentence())") }
        return Ask.agreement(question.title)
    }
}
