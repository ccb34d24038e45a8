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

    /// - Throws: why the file cannot be read.
    init(_ file: ScenarioFile, in workspace: Workspace) throws(InvalidText) {
        entries = try file.content.get()
        plan = workspace.board.plan(entries, for: workspace.evaluatedSources)
        (self.file, self.workspace) = (file, workspace)
    }

    /// The plan to apply it.
    ///
    /// - Parameters:
    ///   - table: the current changes.
    ///   - replacing: whether changes that the scenario does not have are reset.
    func applying(over table: OverrideTable, replacing: Bool) -> ScenarioPlan {
        ScenarioPlan(file.name, plan, over: table, replacing: replacing) {
            workspace.board.facts(of: $0, overrides: table.overrides)
        }
    }

    /// The entries that do not fit the flags any more, each with the reason; empty if the flags are not known.
    var leftOut: [BulkPlan.Exception] {
        workspace.missingValues == nil ? applying(over: workspace.reading.table, replacing: false).leftOut : []
    }

    /// The number of changes.
    var count: Int { entries.values.count + contexts.parts.count }

    var contexts: FlagTable<ContextOverride> { entries.contexts ?? [:] }

    /// Whether it is the scenario that was applied last.
    var isApplied: Bool { workspace.reading.table.scenario?.name == file.name }

    /// Whether the file has changed since it was applied.
    var hasChanged: Bool {
        isApplied && workspace.missingValues == nil && workspace.reading.table.scenario != plan.applied(as: file.name)
    }

    /// How the current changes differ from it: old values are those of now.
    var differences: [ValueDifference] {
        let table = workspace.reading.table
        let (old, new) = (
            table.overrides.mapValues(\.value), plan.values.merging(entries.values) { checked, _ in checked }
        )
        return new.changedKeys(from: old).sorted().map(\.string).map { key in
            ValueDifference(key: key, old: old[key], new: new[key])
        }
            + contexts.changes(from: table.contexts).map { change in
                ValueDifference(
                    key: change.part.label, old: change.old.map { change.part.shown($0) },
                    new: change.new.map { change.part.shown($0) })
            }
    }
}

extension Workspace {
    /// The scenario of a name.
    ///
    /// - Throws: an error if there is none of this name, or its file cannot be read.
    func scenario(_ name: String) throws(CommandFailure) -> CheckedScenario {
        let file = try settings.scenarioFolders.known(name)
        return try CommandFailure.converting(to: .usage) { () throws(InvalidText) in
            try CheckedScenario(file, in: self)
        } sentence: {
            $0.sentence
        }
    }
}

extension [[String]] {
    /// The rows as lines of a table. If it has a width, each cell has at most a quarter of it.
    func table(columns: Int?) -> [String] {
        guard let columns else { return table }
        return map { $0.map { DisplayText.clipped($0, to: columns / 4, charset: TerminalLocale.charset) } }.table
    }
}
