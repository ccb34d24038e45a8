import FlagModel

// Marks: what is done to a flag is done to all that are marked.
extension MenuState {
    /// Marks the selected flag, or takes its mark away, and goes on to the next.
    mutating func markSelected() -> [Effect] {
        guard let key = list.selectedPlace.map(board.key(at:)) else { return [] }
        list.marks.toggle(key)
        sayMarked()
        return moveInList(.down)
    }

    /// Marks every flag from the one that was marked last to the selected one.
    mutating func markRange() -> [Effect] {
        guard let selection = list.selection else { return [] }
        let start = list.marks.last.flatMap(row(of:)) ?? selection
        let range = start <= selection ? Array(start...selection) : Array(selection...start).reversed()
        list.marks.add(
            range.compactMap { if case .flag(let place) = list.rows[$0] { board.key(at: place) } else { nil } })
        sayMarked()
        return []
    }

    mutating func unmarkAll() -> [Effect] {
        list.marks = FlagMarks()
        say("No flag is marked any more.")
        return []
    }

    private mutating func sayMarked() {
        let count = markedPlaces.count
        guard count > 0 else { return say("No flag is marked any more.") }
        let set = keymap.action("setListed", in: .list)?.keys.first?.displayName(charset: charset)
        let ways = [
            "\(keyName(of: .toggle)) toggles", set.map { "\($0) sets" }, "\(keyName(of: .clear)) clears",
            "\(keyName(of: .cancel)) unmarks",
        ]
        say("\(count) marked: \(ways.compactMap { $0 }.joined(separator: ", ")).")
    }

    /// What toggling the marked flags changes.
    var markedToggles: [OverrideEdit] { markedPlaces.compactMap { board.facts(at: $0).toggled } }

    /// What clearing the marked flags changes.
    var markedClears: [OverrideEdit] {
        markedPlaces.filter(board.isOverridden).map { .clear(key: board.key(at: $0).string) }
    }

    /// Changes the marked flags as one step to undo, and takes the marks away.
    mutating func saveMarked(_ edits: [OverrideEdit], _ done: String) -> [Effect] {
        let count = markedPlaces.count
        let left = count - edits.count
        let effects = save(edits, label: "\(done.lowercased()) \(edits.count.counted("flag"))")
        guard !effects.isEmpty else { return [] }
        list.marks = FlagMarks()
        let rest = left > 0 ? " \(left) stayed as before." : ""
        say("\(done) \(edits.count.counted("flag")).\(rest) \(keyWord(of: .undo)) takes it back.")
        return effects
    }
}
