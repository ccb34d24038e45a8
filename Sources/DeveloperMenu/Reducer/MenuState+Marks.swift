import FlagModel
import FlagQueries

// Marks: while flags are marked, an action on a flag applies to all marked flags.
extension MenuState {
    /// Marks or unmarks the selected flag, and selects the next flag.
    mutating func markSelected() -> [Effect] {
        guard let key = list.selectedPlace.map(board.key(at:)) else { return [] }
        list.marks.toggle(key)
        showMarked()
        return moveInList(.down)
    }

    /// Marks every flag from the most recently marked flag to the selected flag.
    mutating func markRange() -> [Effect] {
        guard let selection = list.selection else { return [] }
        let start = list.marks.last.flatMap(row(of:)) ?? selection
        let range = start <= selection ? Array(start...selection) : Array(selection...start).reversed()
        list.marks.add(
            range.compactMap { if case .flag(let place) = list.rows[$0] { board.key(at: place) } else { nil } })
        showMarked()
        return []
    }

    mutating func unmarkAll() -> [Effect] {
        list.marks = FlagMarks()
        show("No flag is marked now.")
        return []
    }

    private mutating func showMarked() {
        guard markedCount > 0 else { return show("No flag is marked now.") }
        show(
            "\(markedCount) marked: \(keyName(of: .toggle)) toggles, \(keyName(of: "setListed")) sets, "
                + "\(keyName(of: .clear)) resets, \(keyName(of: .cancel)) unmarks.")
    }

    /// The number of marked flags that still exist.
    var markedCount: Int { list.marks.keys.count { board.place(of: $0) != nil } }

    /// Whether a condition is true for any marked flag. Stops at the first such flag, because the footer calls this for
    /// each frame.
    func hasMarked(where isTrue: (FlagBoard.Place) -> Bool) -> Bool {
        list.marks.keys.contains { board.place(of: $0).map(isTrue) ?? false }
    }

    /// The edits for toggling the marked flags.
    var markedToggles: [OverrideEdit] { markedPlaces.compactMap { board.facts(at: $0).toggled } }

    /// The edits for clearing the marked flags.
    var markedClears: [OverrideEdit] {
        markedPlaces.filter(board.isOverridden).map { .clear(key: board.key(at: $0).string) }
    }

    /// Saves edits of the marked flags as one undo step, and unmarks all flags.
    ///
    /// - Parameter done: the past participle for the message, such as `Cleared`.
    mutating func saveMarked(_ edits: [OverrideEdit], _ done: String) -> [Effect] {
        let unchangedCount = markedCount - edits.count
        let unchanged = unchangedCount > 0 ? " \(unchangedCount) unchanged." : ""
        let flags = edits.count.counted("flag")
        let effects = save(
            edits, label: "\(done.lowercased()) \(flags)",
            message: "\(done) \(flags).\(unchanged) \(keyWord(of: .undo)) undoes it.")
        if !effects.isEmpty { list.marks = FlagMarks() }
        return effects
    }
}
