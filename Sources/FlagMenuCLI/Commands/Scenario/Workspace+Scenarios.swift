import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace
import TerminalShell
import TerminalUI

/// A scenario whose entries are checked against the flags of a workspace.
struct CheckedScenario {
    let file: ScenarioFile
    let entries: ImportEntries
    let plan: ImportPlan
    private let workspace: Workspace

    /// The scenario; `nil` if its file cannot be read.
    init?(_ file: ScenarioFile, in workspace: Workspace) {
        guard let entries = try? file.content.get() else { return nil }
        self.entries = entries
        plan = workspace.board.plan(entries, for: workspace.evaluatedSources)
        (self.file, self.workspace) = (file, workspace)
    }

    private var table: OverrideTable { workspace.reading.table }
    var contexts: FlagTable<ContextOverride> { entries.contexts ?? [:] }

    /// The plans to apply it over changes: one that keeps changes which the scenario does not have, and one that resets
    /// them.
    func plans(over table: OverrideTable) -> (adding: ScenarioPlan, replacing: ScenarioPlan) {
        func plan(isReplacing: Bool) -> ScenarioPlan {
            ScenarioPlan(file.name, self.plan, over: table, replacing: isReplacing) {
                workspace.board.facts(of: $0, overrides: table.overrides)
            }
        }
        return (plan(isReplacing: false), plan(isReplacing: true))
    }

    /// The entries that do not fit the flags any more, as sentences; empty if the flags are not known.
    var leftOut: [String] {
        guard workspace.missingValues == nil else { return [] }
        return plans(over: table).adding.leftOut.map(\.sentence)
    }

    /// The differences from the current changes to those of the scenario.
    var differences: [ValueDifference] {
        let old = table.overrides.mapValues(\.value)
        let new = plan.values.merging(entries.values) { checked, _ in checked }
        let keys = new.changedKeys(from: old).sorted().map(\.string)
        return keys.map { ValueDifference(key: $0, old: old[$0], new: new[$0]) }
            + contexts.changes(from: table.contexts).map {
                ValueDifference(key: $0.part.label, old: $0.old, new: $0.new)
            }
    }
}

extension Workspace {
    /// A scenario.
    ///
    /// - Throws: an error if there is none of this name, or its file cannot be read.
    func scenario(_ name: String) throws(CommandFailure) -> CheckedScenario {
        let file = try settings.scenario(name)
        if let scenario = CheckedScenario(file, in: self) { return scenario }
        throw CommandFailure(.usage, file.error ?? "")
    }
}

extension Settings {
    /// The file of a scenario; throws an error if there is none of this name.
    func scenario(_ name: String) throws(CommandFailure) -> ScenarioFile {
        try CommandFailure.converting(to: .noMatch) { () throws(StorageError) in try scenarioFolders.existing(name) }
    }
}

extension [[String]] {
    /// The rows as lines of a table. On a terminal, each cell has at most a quarter of the width.
    func table(columns: Int?) -> [String] {
        guard let columns else { return table }
        return map { $0.map { DisplayText.clipped($0, to: columns / 4, charset: TerminalLocale.charset) } }.table
    }
}
