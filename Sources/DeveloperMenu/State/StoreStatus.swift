public import FlagModel

/// The status of the override file: what is on disk, pending edits, and errors.
public struct StoreStatus: Sendable, Equatable {
    /// Overrides as they are on disk.
    public internal(set) var table = OverrideTable()
    /// `true` once the file has been read: its first content is not an update.
    var isRead = false
    /// Edits that are being saved, the oldest first.
    public internal(set) var pending: [PendingEdit] = []
    /// Edits that could not be saved and wait for a retry.
    public internal(set) var unsaved: [OverrideEdit] = []
    /// Pending undo and redo requests.
    var moves: [RequestID: HistoryMove] = [:]
    /// The error of the file, as it was last read.
    var readError: String?
    /// The error of the last save: why it failed, or what happened to a damaged file.
    var saveError: String?
    /// Whether there is something to undo: `true` after a change, `false` after an undo that found nothing. `nil` if
    /// this menu has seen neither.
    var knowsOfUndo: Bool?

    /// An edit that is being written.
    public struct PendingEdit: Sendable, Equatable {
        let id: RequestID
        /// The edits that no newer one replaces.
        var edits: [OverrideEdit]
    }
}

extension StoreStatus {
    /// The shown error.
    var error: String? { saveError ?? readError }

    /// Whether a request is pending.
    var isChanging: Bool { !pending.isEmpty || !moves.isEmpty }

    /// The overrides on disk, with pending edits on top.
    func overrides(at now: Timestamp) -> [String: Override] {
        pending.reduce(into: table.overrides) { overrides, waiting in
            for edit in waiting.edits { overrides.apply(edit, at: now) }
        }
    }

    // MARK: what happens

    mutating func save(_ edits: [OverrideEdit], id: RequestID) {
        knowsOfUndo = true
        // An edit that could not be saved must not return over a newer one of the same flag.
        unsaved.removeAll { earlier in edits.contains { $0.supersedes(earlier) } }
        // Nor is it shown or offered again while it is pending: a key held down makes thousands of edits.
        for index in pending.indices where !pending[index].edits.isEmpty {
            pending[index].edits.removeAll { earlier in edits.contains { $0.supersedes(earlier) } }
        }
        pending.append(PendingEdit(id: id, edits: edits))
    }

    mutating func takeRead(_ new: OverrideTable, error: String?) {
        let before = table.overrides
        // A reading from before the newest saved edit is outdated.
        if new.revision >= table.revision || pending.isEmpty { table = new }
        // The error of an earlier edit is outdated once the file can be read, or no longer can be.
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
        // Such as where a damaged file was moved: it stays until the next save, to be read at leisure.
        if let notice { saveError = notice }
    }

    /// - Returns: how many edits are not saved.
    mutating func takeSaveFailed(_ id: RequestID, reason: String, canRetry: Bool) -> Int {
        let failed = pending.filter { $0.id == id }.flatMap(\.edits)
        pending.removeAll { $0.id == id }
        // An edit that a newer pending one replaces must not be offered again.
        let newer = pending.flatMap(\.edits)
        if canRetry { unsaved += failed.filter { edit in !newer.contains { $0.supersedes(edit) } } }
        saveError = reason
        return canRetry ? unsaved.count : failed.count
    }
}

extension OverrideEdit {
    /// `true` if this edit completely replaces an earlier one.
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
