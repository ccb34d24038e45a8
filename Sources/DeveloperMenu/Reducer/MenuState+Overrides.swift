import FlagModel

// How overrides are made and cleared: shown at once, then saved, one numbered edit after the other.
extension MenuState {
    mutating func toggleSelected() -> [Effect] {
        guard let flag = selected, let edit = flag.toggled else { return [] }
        return save([edit], label: "toggle \(flag.key)")
    }

    mutating func clearSelected() -> [Effect] {
        guard let flag = selected else { return [] }
        return save([.clear(key: flag.key)])
    }

    /// Shows edits at once and asks to save them.
    ///
    /// - Parameter keepingSelected: `false` where flags are meant to go from a list of overridden ones.
    mutating func save(_ edits: [OverrideEdit], label: String? = nil, keepingSelected: Bool = true) -> [Effect] {
        guard !edits.isEmpty else { return [] }
        if let readOnlyReason {
            say(readOnlyReason, .refusal)
            return []
        }
        lastCommands = commands(for: edits)
        let id = makeRequestID()
        store.save(edits, id: id)
        if !keepingSelected { list.forgetKept() }
        showOverrides(keepingSelected: keepingSelected)
        sayNotes(on: edits)
        return [.saveOverrides(id: id, edits: edits, label: label ?? edits.label)]
    }

    mutating func retrySaving() -> [Effect] {
        let edits = store.unsaved
        (store.unsaved, store.saveError) = ([], nil)
        return save(edits)
    }

    /// What is on disk, with what is on its way there on top.
    mutating func showOverrides(keepingSelected: Bool = true) {
        let overrides = store.overrides(at: now)
        let before = board.values.overrides
        guard overrides != before else { return }
        // Who changes a flag wants to see what became of it, and nobody wants it gone from under the cursor.
        if keepingSelected, let key = list.selectedKey?.string, overrides[key]?.value != before[key]?.value {
            list.keepSelected(on: board)
        }
        board.replaceOverrides(overrides)
        needs.measureOverrides(on: board)
        rebuildList()
        refreshQuestion()
    }

    /// Says what a user has to know who has just set flags.
    private mutating func sayNotes(on edits: [OverrideEdit]) {
        let keys = edits.compactMap { if case .set(let key, _) = $0 { key } else { nil } }
        guard let key = keys.first else { return }
        if let value = board.values.text(of: key, in: .launch) {
            return say("Saved, but this run was started with \(key) = \(value), which wins.", .refusal)
        }
        guard keys.count > 1 else {
            let notes = board.changeNotes(for: key)
            if !notes.isEmpty { say(notes.joined(separator: " ")) }
            return
        }
        let restarts = keys.count { board.facts(of: FlagText($0)).item?.needsRestart == true }
        if restarts > 0 { say("\(restarts) of the \(keys.count) flags are read at the next start of the app.") }
    }

    /// The places of this category's overrides.
    var overriddenInSelectedCategory: [FlagBoard.Place] {
        guard let category = list.selectedCategory(on: board) else {
            return list.selectedPlace == nil ? [] : board.unlistedKeys.indices.map(FlagBoard.Place.unlisted)
        }
        return board.overriddenItems(in: board.catalog.categories[category].items).map(FlagBoard.Place.item)
    }
}
