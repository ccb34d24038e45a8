import FlagModel
import FlagQueries

// Setting and clearing overrides: a change is shown immediately, and then saved. Each save has its own request id.
extension MenuState {
    mutating func toggleSelected() -> [Effect] {
        if let part = list.selectedPart { return toggle(part) }
        guard let flag = selected, let edit = flag.toggled else { return [] }
        return save([edit], label: "toggle \(flag.key)")
    }

    mutating func resetSelected() -> [Effect] {
        list.selectedPart.map { reset($0) } ?? save(list.resets)
    }

    /// Saves edits of the marked flags as one undo step, and unmarks all flags.
    ///
    /// - Parameter done: the past participle for the message, such as `Cleared`.
    mutating func saveMarked(_ edits: [OverrideEdit], _ done: String) -> [Effect] {
        let unchangedCount = list.markedCount - edits.count
        let unchanged = unchangedCount > 0 ? " \(unchangedCount) unchanged." : ""
        let flags = edits.count.counted("flag")
        let effects = save(
            edits, label: "\(done.lowercased()) \(flags)",
            message: "\(done) \(flags).\(unchanged) \(keyWord(of: .undo)) undoes it.")
        if !effects.isEmpty { list.marks = FlagMarks() }
        return effects
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
        if let readOnlyReason { return show(readOnlyReason, .rejection) }
        lastCommands = commands.edits(edits)
        team?.lastChange = nil
        let id = makeRequestID()
        store.save(edits, id: id)
        if !keepingSelected { list.dropStickyRows() }
        showOverrides(keepingSelected: keepingSelected)
        if let message = board.message(about: edits, done: done) { show(message) }
        return [.saveOverrides(id: id, edits: edits, label: label ?? edits.label)]
    }

    mutating func retrySaving() -> [Effect] {
        let edits = store.unsaved
        (store.unsaved, store.saveError) = ([], nil)
        return save(edits)
    }

    /// Shows the overrides on disk, with pending edits on top.
    mutating func showOverrides(keepingSelected: Bool = true) {
        let hasChanged = list.show(
            store.overrides(at: now), parts: store.changedParts, keepingSelected: keepingSelected)
        if hasChanged { updateSheet() }
    }
}

extension FlagBoard {
    /// The message about saved edits, with warnings about the flags that were set; `nil` without any.
    ///
    /// - Parameter done: what was done, as a sentence.
    fileprivate func message(about edits: [OverrideEdit], done: String?) -> MenuMessage? {
        let keys = edits.compactMap { if case .set(let key, _) = $0 { key } else { nil } }
        if let key = keys.first, let value = values.text(of: key, in: .launch) {
            return MenuMessage("Saved, but this run was started with \(key) = \(value), which wins.", .rejection)
        }
        let notes = keys.count == 1 ? changeNotes(for: keys[0]) : restartNotes(for: keys)
        let sentences = [done].compactMap { $0 } + notes
        return sentences.isEmpty ? nil : MenuMessage(sentences.joined(separator: " "))
    }

    /// A sentence with the number of changed flags that need a restart of the app; empty if none needs a restart.
    private func restartNotes(for keys: [String]) -> [String] {
        let restartCount = keys.count { facts(of: FlagText($0)).item?.needsRestart == true }
        guard restartCount > 0 else { return [] }
        let verb = restartCount == 1 ? "is" : "are"
        return ["\(restartCount) of the \(keys.count) flags \(verb) read at the next start of the app."]
    }
}
