import FlagModel
import FlagQueries

// Setting and clearing overrides: a change is shown immediately, and then saved. Each save has its own request id.
extension MenuState {
    mutating func toggleSelected() -> [Effect] {
        if let part = list.selectedPart { return toggle(part) }
        guard let flag = selected, let edit = flag.toggled else { return [] }
        return save([edit], label: "toggle \(flag.key)")
    }

    /// Sets the selected flag to the value that it has without an override.
    var keepingEdits: [OverrideEdit] {
        guard let flag = selected, flag.override == nil, let value = flag.valueWithoutOverride else { return [] }
        return [.set(key: flag.key, value: value)]
    }

    mutating func clearSelected() -> [Effect] {
        if let part = list.selectedPart { return reset(part) }
        guard let flag = selected else { return [] }
        return save([.clear(key: flag.key)])
    }

    /// Shows edits immediately and requests to save them.
    ///
    /// - Parameters:
    ///   - label: the label in the history; by default, it is derived from the edits.
    ///   - done: the message, as a sentence. Warnings about the flags are appended.
    ///   - keepingSelected: whether the selected flag stays listed even if it no longer matches the filter.
    mutating func save(
        _ edits: [OverrideEdit], label: String? = nil, message done: String? = nil, keepingSelected: Bool = true
    ) -> [Effect] {
        guard !edits.isEmpty else { return [] }
        if let readOnlyReason {
            show(readOnlyReason, .rejection)
            return []
        }
        lastCommands = commands(for: edits)
        team?.lastChange = nil
        let id = makeRequestID()
        store.save(edits, id: id)
        if !keepingSelected { list.dropStickyRows() }
        showOverrides(keepingSelected: keepingSelected)
        show(done, on: edits)
        return [.saveOverrides(id: id, edits: edits, label: label ?? edits.label)]
    }

    mutating func retrySaving() -> [Effect] {
        let edits = store.unsaved
        (store.unsaved, store.saveError) = ([], nil)
        return save(edits)
    }

    /// Shows the overrides on disk, with pending edits on top.
    mutating func showOverrides(keepingSelected: Bool = true) {
        let overrides = store.overrides(at: now)
        let oldOverrides = board.values.overrides
        if overrides == oldOverrides {
            if list.parts != changedParts { rebuildList() }
            return
        }
        // A changed flag stays listed and selected.
        if keepingSelected, let key = list.selectedKey?.string, overrides[key]?.value != oldOverrides[key]?.value {
            list.keepSelected(on: board)
        }
        board.replaceOverrides(overrides)
        rebuildList()
        updateSheet()
    }

    /// Shows a message about a change, with warnings about the flags that were set.
    private mutating func show(_ done: String?, on edits: [OverrideEdit]) {
        let keys = edits.compactMap { if case .set(let key, _) = $0 { key } else { nil } }
        if let key = keys.first, let value = board.values.text(of: key, in: .launch) {
            return show("Saved, but this run was started with \(key) = \(value), which wins.", .rejection)
        }
        let notes = keys.count == 1 ? board.changeNotes(for: keys[0]) : restartNotes(for: keys)
        let sentences = [done].compactMap { $0 } + notes
        if !sentences.isEmpty { show(sentences.joined(separator: " ")) }
    }

    /// A sentence with the number of changed flags that need a restart of the app; empty if none needs a restart.
    private func restartNotes(for keys: [String]) -> [String] {
        let restartCount = keys.count { board.facts(of: FlagText($0)).item?.needsRestart == true }
        guard restartCount > 0 else { return [] }
        let verb = restartCount == 1 ? "is" : "are"
        return ["\(restartCount) of the \(keys.count) flags \(verb) read at the next start of the app."]
    }
}
