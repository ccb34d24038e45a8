public import FlagModel
import FlagQueries

/// The status of the override file: what is on disk, pending edits, and errors.
public struct StoreStatus: Sendable, Equatable {
    /// The overrides on disk.
    public internal(set) var table = OverrideTable()
    /// Whether the file has been read. The first content that is read is not an update.
    package internal(set) var isRead = false
    /// The edits that are being saved, the oldest first.
    public internal(set) var pending: [PendingEdit] = []
    /// The edits that could not be saved and wait for a retry.
    public internal(set) var unsaved: [OverrideEdit] = []
    /// The pending requests to undo or redo.
    var moves: [RequestID: HistoryMove] = [:]
    /// The search by hand among the changes; `nil` if none is running.
    var bisect: RunningBisect?
    /// The pending requests about it.
    var bisectRequests: Set<RequestID> = []
    /// The error of the last reading of the file.
    var readError: String?
    /// The error of the last save: why the save failed, or what happened to a damaged file.
    var saveError: String?
    /// Whether something can be undone: `true` after a change, `false` after an undo that found nothing, `nil` if it is
    /// not known, as after an undo.
    var knowsOfUndo: Bool?

    /// The edits of one request that are being written.
    public struct PendingEdit: Sendable, Equatable {
        let id: RequestID
        /// The edits that no newer edit has replaced.
        var edits: [OverrideEdit]
    }

    /// The error to show; `nil` if there is no error.
    var error: String? { saveError ?? readError }

    /// Whether a request is pending.
    var isChanging: Bool { !pending.isEmpty || !moves.isEmpty || !bisectRequests.isEmpty }

    /// The overrides on disk, with pending edits on top.
    func overrides(at now: FlagTimestamp) -> FlagTable<FlagOverride> {
        pending.reduce(table.overrides) { $0.applying($1.edits, at: ClockReading(now: now)) }
    }

    /// The conditions and attributes that the tester changed.
    var changedParts: [ContextPart] { table.contexts.isEmpty ? [] : table.contexts.parts.keys.sorted() }

    // MARK: events

    /// Adds edits that are being saved.
    mutating func save(_ edits: [OverrideEdit], id: RequestID) {
        knowsOfUndo = true
        // An unsaved edit must not overwrite a newer edit of the same flag when it is retried.
        unsaved.removeAll { earlier in edits.contains { $0.supersedes(earlier) } }
        // A newer edit also replaces pending edits: holding down a key makes thousands of edits.
        for index in pending.indices where !pending[index].edits.isEmpty {
            pending[index].edits.removeAll { earlier in edits.contains { $0.supersedes(earlier) } }
        }
        pending.append(PendingEdit(id: id, edits: edits))
    }

    mutating func endRead(_ new: OverrideTable, error: String?) {
        let old = table
        // While edits are pending, the table just read may be older than the most recently saved edit.
        if new.revision >= table.revision || pending.isEmpty { table = new }
        // If the file has become readable or unreadable, the error of an earlier save is outdated.
        if unsaved.isEmpty, error != readError { saveError = nil }
        readError = error
        if isRead, error == nil, table.overrides != old.overrides || table.contexts != old.contexts {
            knowsOfUndo = true
        }
        isRead = true
    }

    mutating func endSave(_ id: RequestID, _ new: OverrideTable, notice: String?) {
        pending.removeAll { $0.id == id }
        // A newer table of another process may already have been read.
        if new.revision >= table.revision { table = new }
        if pending.isEmpty, unsaved.isEmpty { saveError = nil }
        // A notice, such as the new path of a damaged file, stays until the next save so that the user can read it.
        if let notice { saveError = notice }
    }

    mutating func endBisect(_ id: RequestID?, _ new: OverrideTable, _ running: RunningBisect?) {
        if let id { bisectRequests.remove(id) }
        if new.revision >= table.revision { table = new }
        bisect = running
    }

    /// Ends an undo or redo that was saved.
    ///
    /// - Returns: which of them it was.
    mutating func endMove(_ id: RequestID, _ new: OverrideTable) -> HistoryMove {
        let move = moves.removeValue(forKey: id) ?? .undo
        if new.revision >= table.revision { table = new }
        // Nothing may be left to undo after an undo.
        knowsOfUndo = move == .redo ? true : nil
        return move
    }

    mutating func failMove(_ id: RequestID, isAtEnd: Bool) {
        let move = moves.removeValue(forKey: id) ?? .undo
        if isAtEnd, move == .undo { knowsOfUndo = false }
    }

    /// The changes of undo or redo in one sentence.
    func summary(
        of changes: [OverrideChange], _ contextChanges: [ContextPartChange], on board: FlagBoard
    ) -> String {
        let count = changes.count + contextChanges.count
        guard count <= 1 else { return contextChanges.isEmpty ? "\(count) overrides changed." : "\(count) changes." }
        if let change = contextChanges.first { return "\(change.sentence)." }
        if let change = changes.first, change.old?.value == change.new?.value { return "\(change.sentence)." }
        return EffectiveChange.all(changes, overrides: table.overrides, on: board).first?.sentence ?? "nothing changed."
    }

    /// Handles a failed save.
    ///
    /// - Returns: the number of unsaved edits.
    mutating func failSave(_ id: RequestID, reason: String, canRetry: Bool) -> Int {
        let failed = pending.filter { $0.id == id }.flatMap(\.edits)
        pending.removeAll { $0.id == id }
        // An edit that a newer pending edit replaces must not be offered for a retry.
        let newerEdits = pending.flatMap(\.edits)
        if canRetry { unsaved += failed.filter { edit in !newerEdits.contains { $0.supersedes(edit) } } }
        saveError = reason
        return canRetry ? unsaved.count : failed.count
    }
}

extension OverrideEdit {
    /// Whether this edit completely replaces an earlier edit.
    func supersedes(_ earlier: OverrideEdit) -> Bool {
        if case .replaceAll = self { return true }
        guard let (verb, key) = step, let old = earlier.step, key == old.key else { return self == .clearAll }
        // A new value keeps the note.
        return verb == old.verb || verb == "reset" || verb == "set" && old.verb != "note"
    }
}

extension FlagTable<FlagOverride> {
    /// The overrides of `old` that are gone because they have ended.
    func ended(since old: Self, at clock: ClockReading) -> Self {
        old.filter { self[$0.key] == nil && $0.value.end?.hasEnded(at: clock) == true }
    }

    /// What others have changed since `old`, as a sentence; `nil` if all values are the same.
    ///
    /// - Parameters:
    ///   - clock: the time, which decides what is gone because it has ended.
    ///   - undo: the key that brings that back; `nil` if these are the values of the team, where no key does.
    func changeElsewhere(since old: Self, at clock: ClockReading, undo: String?) -> String? {
        let (ended, isTeam) = (ended(since: old, at: clock), undo == nil)
        let changed = mapValues(\.value).changedKeys(from: old.mapValues(\.value))
        guard let key = changed.first else { return nil }
        if changed == ended.keySet, let undo {
            return changed.count == 1
                ? "The override of \(key) has ended; \(undo) brings it back."
                : "\(changed.count) overrides have ended; \(undo) brings them back."
        }
        guard changed.count == 1 else {
            let what = isTeam ? "values of the team were changed" : "overrides were changed elsewhere"
            return "\(changed.count) \(what)."
        }
        guard let override = self[key] else {
            guard isTeam else { return "The override of \(key) was reset elsewhere." }
            return "The team's value of \(key) \(ended[key] == nil ? "was reset" : "has ended")."
        }
        let author = isTeam ? "for the team by \(override.setBy ?? "someone")" : "elsewhere"
        return "\(key) was set to \(override.value.orQuotes) \(author)."
    }
}
