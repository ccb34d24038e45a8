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
        say("No flag is marked now.")
        return []
    }

    private mutating func sayMarked() {
        guard markedCount > 0 else { return say("No flag is marked now.") }
        say(
            "\(markedCount) marked: \(keyName(of: .toggle)) toggles, \(keyName(of: "setListed")) sets, "
                + "\(keyName(of: .clear)) clears, \(keyName(of: .cancel)) unmarks.")
    }

    /// How many of the flags that are marked there are.
    var markedCount: Int { list.marks.keys.count { board.place(of: $0) != nil } }

    /// Whether something is true of a marked flag. It looks at no more of them than it has to, as the footer asks with each frame.
    func hasMarked(where isTrue: (FlagBoard.Place) -> Bool) -> Bool {
        list.marks.keys.contains { board.place(of: $0).map(isTrue) ?? false }
    }

    /// What toggling the marked flags changes.
    var markedToggles: [OverrideEdit] { markedPlaces.compactMap { board.facts(at: $0).toggled } }

    /// What clearing the marked flags changes.
    var markedClears: [OverrideEdit] {
        markedPlaces.filter(board.isOverridden).map { .clear(key: board.key(at: $0).string) }
    }

    /// Changes the marked flags as one step to undo, and takes the marks away.
    mutating func saveMarked(_ edits: [OverrideEdit], _ done: String) -> [Effect] {
        let left = markedCount - edits.count
        let rest = left > 0 ? " \(left) unchanged." : ""
        let flags = edits.count.counted("flag")
        let effects = save(
            edits, label: "\(done.lowercased()) \(flags)",
            saying: "\(done) \(flags).\(rest) \(keyWord(of: .undo)) undoes it.")
        if !effects.isEmpty { list.marks = FlagMarks() }
        return effects
    }
}
