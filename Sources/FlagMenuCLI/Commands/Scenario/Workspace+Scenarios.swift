import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace
import TerminalShell
import TerminalUI

extension Workspace {
    /// A scenario and its entries.
    ///
    /// - Throws: an error if there is none of this name, or its file cannot be read.
    func scenario(_ name: String) throws -> (file: ScenarioFile, entries: ImportEntries) {
        let file = try settings.scenarioFolders.existing(name)
        return (file, try CommandFailure.converting(to: .usage) { () throws(InvalidText) in try file.content.get() })
    }

    /// The plan to apply a scenario over changes, by default the current ones.
    ///
    /// - Throws: what is wrong with the file as a whole.
    func plan(
        _ file: ScenarioFile, replacing: Bool = false, over table: OverrideTable? = nil
    ) throws(InvalidText) -> ScenarioPlan {
        var board = board
        if let table { board.replaceOverrides(table.overrides) }
        return try board.plan(file, for: evaluations, over: table ?? reading.table, replacing: replacing)
    }

    /// What a scenario applies, with a warning for each entry that does not fit the flags any more.
    ///
    /// - Throws: an error if there is none of this name, or its file cannot be read.
    func applied(_ name: String) throws -> AppliedScenario {
        let plan = try plan(try scenario(name).file)
        settings.warn(plan.leftOut.map(\.sentence))
        return plan.applied
    }

    /// The entries of a scenario that do not fit the flags any more, as sentences; empty if the flags are not known.
    func leftOut(of plan: ScenarioPlan) -> [String] {
        missingValues == nil ? plan.leftOut.map(\.sentence) : []
    }
}

extension [[String]] {
    /// The rows as lines of a table. On a terminal, each cell has at most a quarter of the width.
    func table(columns: Int?) -> [String] {
        guard let columns else { return table }
        return map { $0.map { DisplayText.clipped($0, to: columns / 4, charset: TerminalLocale.charset) } }.table
    }
}
