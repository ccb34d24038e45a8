import FlagModel

// Setting and clearing overrides: shown at once, then saved, one numbered edit after another.
extension MenuState {
    mutating func toggleSelected() -> [Effect] {
        guard let flag = selected, let edit = flag.toggled else { return [] }
        return save([edit], label: "toggle \(flag.key)")
    }

    mutating func clearSelected() -> [Effect] {
        guard let flag = selected else { return [] }
        return save([.clear(key: flag.key)])
    }

    /// Shows edits at once and requests to save them.
    ///
    /// - Parameters:
    ///   - done: the message, as a sentence; warnings about the flags follow it.
    ///   - keepingSelected: `false` if flags should leave a list of overridden ones.
    mutating func save(
        _ edits: [OverrideEdit], label: String? = nil, saying done: String? = nil, keepingSelected: Bool = true
    ) -> [Effect] {
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
        say(done, on: edits)
        return [.saveOverrides(id: id, edits: edits, label: label ?? edits.label)]
    }

    mutating func retrySaving() -> [Effect] {
        let edits = store.unsaved
        (store.unsaved, store.saveError) = ([], nil)
        return save(edits)
    }

    /// Shows what is on disk, with pending edits on top.
    mutating func showOverrides(keepingSelected: Bool = true) {
        let overrides = store.overrides(at: now)
        let before = board.values.overrides
        guard overrides != before else { return }
        // A changed flag stays in the list, under the cursor.
        if keepingSelected, let key = list.selectedKey?.string, overrides[key]?.value != before[key]?.value {
            list.keepSelected(on: board)
        }
        board.replaceOverrides(overrides)
        needs.measureOverrides(on: board)
        rebuildList()
        refreshQuestion()
    }

    /// Shows what was done, and warnings about flags that were just set.
    private mutating func say(_ done: String?, on edits: [OverrideEdit]) {
        let keys = edits.compactMap { if case .set(let key, _) = $0 { key } else { nil } }
        if let key = keys.first, let value = board.values.text(of: key, in: .launch) {
            return say("Saved, but this run was started with \(key) = \(value), which wins.", .refusal)
        }
        let sentences = [done].compactMap { $0 } + (keys.count == 1 ? board.changeNotes(for: keys[0]) : notes(on: keys))
        if !sentences.isEmpty { say(sentences.joined(separator: " ")) }
    }

    private func notes(on keys: [String]) -> [String] {
        let restarts = keys.count { board.facts(of: FlagText($0)).item?.needsRestart == true }
        return restarts == 0
            ? []
            : [
                "\(restarts) of the \(keys.count) flags \(restarts == 1 ? "is" : "are") read at the next start of the app."
            ]
    }

    /// The places of this category's overrides.
    var overriddenInSelectedCategory: [FlagBoard.Place] {
        guard let category = list.selectedCategory(on: board) else {
            return list.selectedPlace == nil ? [] : board.unlistedKeys.indices.map(FlagBoard.Place.unlisted)
        }
        return board.overriddenItems(in: board.catalog.categories[category].items).map(FlagBoard.Place.item)
    }
}
