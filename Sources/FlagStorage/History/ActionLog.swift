import FlagModel

/// The history up to the file's revision, and what can be undone and redone.
struct ActionLog: Sendable {
    /// An action in its current state: the changes of its last execution, undo or redo.
    struct Step: Sendable {
        let action: HistoryRecord
        let changes: [StoredChange]
    }

    /// Oldest first.
    private(set) var records: [HistoryRecord]
    /// Done and not undone, the newest last.
    private(set) var undoable: [Step] = []
    /// Undone and not redone, the next to redo last. A new action clears it.
    private(set) var redoable: [Step] = []
    /// Whether an undo or redo refers to an action that is not among the records.
    private(set) var refersToMissing = false
    /// Whether the file has a change after the last record, as after a power cut.
    let isBehind: Bool

    /// Reconstructs the actions from lines, oldest first, for a file at `revision`; `nil` if that is not known because
    /// the file is missing or cannot be read.
    init(_ lines: [HistoryRecord], reaching revision: Int?) {
        records = Self.chain(lines, reaching: revision ?? .max)
        let last = records.last?.revision ?? .max
        isBehind = (revision ?? 0) > last
        var undone: Set<Int> = []
        var before: Int?
        for record in records {
            // Records between are lost: earlier changes may have been to other values.
            if let before, record.base > before { forgetActions() }
            before = record.revision
            replay(record)
            if let revision = record.undoes { undone.insert(revision) }
            if let revision = record.redoes { undone.remove(revision) }
        }
        for index in records.indices { records[index].isUndone = undone.contains(records[index].revision) }
    }

    /// The records that lead to `revision`, each based on the one before.
    static func chain(_ lines: [HistoryRecord], reaching revision: Int) -> [HistoryRecord] {
        var next = revision
        var chain: [HistoryRecord] = []
        for record in lines.reversed() where record.revision <= next {
            chain.append(record)
            next = min(record.base, record.revision - 1)
        }
        return chain.reversed()
    }

    private mutating func forgetActions() {
        undoable = []
        redoable = []
    }

    private mutating func replay(_ record: HistoryRecord) {
        if let undone = record.undoes {
            guard let index = undoable.lastIndex(where: { $0.action.revision == undone }) else {
                // The next redo would be of that action, whose record is missing.
                redoable = []
                return refersToMissing = true
            }
            redoable.append(Step(action: undoable.remove(at: index).action, changes: record.steps))
        } else if let redone = record.redoes {
            guard let index = redoable.lastIndex(where: { $0.action.revision == redone }) else {
                undoable = []
                return refersToMissing = true
            }
            undoable.append(Step(action: redoable.remove(at: index).action, changes: record.steps))
        } else if !record.steps.isEmpty {  // The replacement of a damaged file is not an action that can be undone.
            undoable.append(Step(action: record, changes: record.steps))
            redoable.removeAll()
        }
    }
}

extension ActionLog.Step {
    /// The changes that undo the step in `file`, and the keys to skip because they changed since.
    func reversed(in file: OverrideFile) -> (changes: [StoredChange], kept: [StoredChange]) {
        let inverse = changes.map(\.inverse)
        let isUntouched: (StoredChange) -> Bool = { change in
            guard let expected = change.before else { return file.entries[change.key] == nil }
            return file.entries[change.key]?.hasValue(expected.override.value) ?? false
        }
        return (inverse.filter(isUntouched), inverse.filter { !isUntouched($0) })
    }
}
