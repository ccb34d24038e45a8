public import FlagModel

/// How the override file is doing: what is on disk, what is on its way there, and what is wrong.
public struct StoreStatus: Sendable, Equatable {
    /// Overrides as they are on disk.
    public internal(set) var table = OverrideTable()
    /// `true` once the file has been read: what is in it then is no update.
    var isRead = false
    /// Edits on their way to the disk, the oldest first.
    public internal(set) var pending: [PendingEdit] = []
    /// Edits that could not be saved and wait for a retry.
    public internal(set) var unsaved: [OverrideEdit] = []
    /// Undo and redo that have been requested and not been answered.
    var moves: [RequestID: HistoryMove] = [:]
    /// What is wrong with the file, as it was last read.
    var readError: String?
    /// What is wrong with the last save: why it failed, or what became of a damaged file.
    var saveError: String?
    /// Whether undo would bring something back: it does after a change, and does not after an undo that found nothing. `nil` while
    /// this menu has seen neither.
    var knowsOfUndo: Bool?

    /// An edit that is being written.
    public struct PendingEdit: Sendable, Equatable {
        let id: RequestID
        /// What no newer edit replaces.
        var edits: [OverrideEdit]
    }
}

extension StoreStatus {
    /// The error that is shown.
    var error: String? { saveError ?? readError }

    /// Whether something has been requested and not been answered.
    var isChanging: Bool { !pending.isEmpty || !moves.isEmpty }

    /// The overrides on disk, with what is on its way there on top.
    func overrides(at now: Timestamp) -> [String: Override] {
        pending.reduce(into: table.overrides) { overrides, waiting in
            for edit in waiting.edits { overrides.apply(edit, at: now) }
        }
    }

    // MARK: what happens

    mutating func save(_ edits: [OverrideEdit], id: RequestID) {
        knowsOfUndo = true
        // An edit that could not be saved must not come back over a newer one of the same flag.
        unsaved.removeAll { earlier in edits.contains { $0.supersedes(earlier) } }
        // Nor is it shown or offered again while it is still on its way: a key held down makes thousands of edits.
        for index in pending.indices where !pending[index].edits.isEmpty {
            pending[index].edits.removeAll { earlier in edits.contains { $0.supersedes(earlier) } }
        }
        pending.append(PendingEdit(id: id, edits: edits))
    }

    mutating func takeRead(_ new: OverrideTable, error: String?) {
        let before = table.overrides
        // A reading made before the newest saved edit is older than what is shown.
        if new.revision >= table.revision || pending.isEmpty { table = new }
        // Why an edit was refused before is out of date once the file can be read, or no longer can be.
        if unsaved.isEmpty, error != readError { saveError = nil }
        readError = error
        if isRead, error == nil, table.overrides != before { knowsOfUndo = true }
        isRead = true
    }

    mutating func takeSaved(_ id: RequestID, _ new: OverrideTable, notice: String?) {
        pending.removeAll { $0.id == id }
        // Another process may have written since, which was read before.
        if new.revision >= table.revision { table = new }
        if pending.isEmpty, unsaved.isEmpty { saveError = nil }
        // Such as where a damaged file was put: to be read at leisure, so it stays until the next save.
        if let notice { saveError = notice }
    }

    /// - Returns: how many edits are not saved.
    mutating func takeSaveFailed(_ id: RequestID, reason: String, canRetry: Bool) -> Int {
        let failed = pending.filter { $0.id == id }.flatMap(\.edits)
        pending.removeAll { $0.id == id }
        // What a newer edit on its way replaces must not be offered again.
        let newer = pending.flatMap(\.edits)
        if canRetry { unsaved += failed.filter { edit in !newer.contains { $0.supersedes(edit) } } }
        saveError = reason
        return canRetry ? unsaved.count : failed.count
    }
}

extension OverrideEdit {
    /// `true` when nothing is left of an earlier edit once this one is made.
    func supersedes(_ earlier: OverrideEdit) -> Bool {
        switch self {
        case .set(let key, _), .clear(let key): earlier == .clear(key: key) || earlier.isSetting(key)
        case .clearAll, .replaceAll: true
        }
    }

    private func isSetting(_ key: String) -> Bool {
        if case .set(key, _) = self { true } else { false }
    }
}
