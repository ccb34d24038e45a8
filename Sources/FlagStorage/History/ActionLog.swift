import FlagModel

/// The history up to the revision of the override file, and the actions that can be undone and redone.
struct ActionLog: Sendable {
    /// An action that can be undone or redone.
    struct Step: Sendable {
        let action: HistoryRecord
        /// The changes that were made when the action was last executed, undone or redone.
        let changes: StoredChanges

        /// The step with another name of a scenario.
        fileprivate func renaming(_ rename: StoredChanges.ScenarioChange?) -> Step {
            guard let change = changes.scenario, let old = rename?.old?.name, let new = rename?.new?.name else {
                return self
            }
            var changes = changes
            func renamed(_ scenario: AppliedScenario?) -> AppliedScenario? {
                scenario?.name == old ? scenario?.renamed(to: new) : scenario
            }
            changes.scenario = .init(old: renamed(change.old), new: renamed(change.new))
            return Step(action: action, changes: changes)
        }
    }

    /// The records, oldest first.
    private(set) var records: [HistoryRecord]
    /// The actions that are not undone, the newest last.
    private(set) var undoable: [Step] = []
    /// The undone actions; the last element is the next action to redo. Empty after a new action.
    private(set) var redoable: [Step] = []
    /// Whether an undo or redo refers to an action without a record.
    private(set) var refersToMissing = false
    /// Whether the override file has a change without a record, as after a power cut.
    let isBehind: Bool

    /// Reconstructs the actions from records, oldest first, up to the `revision` of the override file. `revision` is
    /// `nil` if the file is missing or cannot be read.
    init(_ lines: [HistoryRecord], reaching revision: Int?) {
        records = Self.chain(lines, reaching: revision ?? .max)
        let last = records.last?.revision ?? .max
        isBehind = (revision ?? 0) > last
        var undone: Set<Int> = []
        var previous: Int?
        for record in records {
            // If records in between are lost, earlier actions cannot be undone or redone: their keys may have changed.
            if let previous, record.base > previous { (undoable, redoable) = ([], []) }
            previous = record.revision
            replay(record)
            if let revision = record.undoes { undone.insert(revision) }
            if let revision = record.redoes { undone.remove(revision) }
        }
        for index in records.indices { records[index].isUndone = undone.contains(records[index].revision) }
    }

    /// The records that lead to `revision`, each based on the record before.
    static func chain(_ lines: [HistoryRecord], reaching revision: Int) -> [HistoryRecord] {
        var next = revision
        var chain: [HistoryRecord] = []
        for record in lines.reversed() where record.revision <= next {
            chain.append(record)
            next = min(record.base, record.revision - 1)
        }
        return chain.reversed()
    }

    /// The actions that undoing the changes of one author takes back, in this order: those of which no action that stays
    /// has changed the same since. An override that has ended by itself was changed by nobody.
    func undoable(by author: String) -> [Step] {
        var (own, staying): ([Step], [Step]) = ([], [])
        for step in undoable.reversed() where !step.action.isEnd {
            let isCovered = staying.contains { step.changes.firstName(alsoIn: $0.changes) != nil }
            if step.action.by == author, !isCovered { own.append(step) } else { staying.append(step) }
        }
        return own
    }

    private mutating func replay(_ record: HistoryRecord) {
        if let undone = record.undoes {
            move(undone, from: \.undoable, to: \.redoable, by: record)
        } else if let redone = record.redoes {
            move(redone, from: \.redoable, to: \.undoable, by: record)
        } else if record.isRename {
            // The scenario of an earlier step has its new name when that step is undone or redone.
            undoable = undoable.map { $0.renaming(record.steps.scenario) }
            redoable = redoable.map { $0.renaming(record.steps.scenario) }
        } else if !record.steps.isEmpty {  // The replacement of a damaged file has no changes.
            undoable.append(Step(action: record, changes: record.steps))
            if !record.isEnd { redoable.removeAll() }
        }
    }

    private mutating func move(
        _ revision: Int, from old: WritableKeyPath<Self, [Step]>, to new: WritableKeyPath<Self, [Step]>,
        by record: HistoryRecord
    ) {
        guard let index = self[keyPath: old].lastIndex(where: { $0.action.revision == revision }) else {
            // The next action to redo, or to undo, has no record, so no earlier action can be redone or undone.
            self[keyPath: new] = []
            return refersToMissing = true
        }
        let action = self[keyPath: old].remove(at: index).action
        self[keyPath: new].append(Step(action: action, changes: record.steps))
    }
}
