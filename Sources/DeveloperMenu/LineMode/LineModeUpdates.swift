import FlagModel
import FlagQueries

/// The differences between two states, in sentences. Line mode prints them because it does not redraw the screen.
struct LineModeUpdates {
    /// The most recently printed state.
    let old: MenuState
    let state: MenuState
    private var board: FlagBoard { state.board }

    /// What has changed.
    var lines: [String] {
        let (before, after) = (LineModeSummary(state: old), LineModeSummary(state: state))
        let (oldIssues, isFixed) = (before.issues, after.errors.isEmpty && !before.errors.isEmpty)
        return changes + counts + (isFixed ? ["The error is fixed."] : [])
            + after.issues.filter { !oldIssues.contains($0) }
    }

    /// The changed flags. If there are more than five, further ones are only counted.
    private var changes: [String] {
        let limit = 5
        let keys = changedKeys
        let places = keys.compactMap(board.place(of:))
        let gone = keys.filter { board.place(of: $0) == nil }
        var lines = places.prefix(limit).map { FlagSentences(board.facts(at: $0), at: state.now).brief }
        if places.count > limit { lines.append("And \((places.count - limit).counted("more flag")) changed.") }
        return lines + gone.prefix(limit).map { "\($0.string): no longer listed." }
    }

    /// The keys of flags whose override or other value has changed: first listed flags in the order of the board, then
    /// the other flags.
    private var changedKeys: [FlagText] {
        guard old.board.generation > 0, old.board != board else { return [] }
        let (before, after) = (old.board.values, board.values)
        let changed = after.overrides.mapValues(\.value).changedKeys(from: before.overrides.mapValues(\.value))
        let listed = board.places.map(board.key(at:)).filter { key in
            changed.contains(key) || before.remote[key] != after.remote[key]
                || before.defaults[key] != after.defaults[key]
        }
        return listed + changed.subtracting(listed).sorted()
    }

    private var counts: [String] {
        var lines: [String] = []
        let overrides = LineModeSummary(state: state).overrides
        if LineModeSummary(state: old).overrides != overrides { lines.append(overrides) }
        if let count = state.remote.waiting?.count, old.remote.waiting?.count != count, state.message == nil {
            lines.append("\(LineModeSummary.waiting(count)). \(state.keyWord(of: .activate)) activates.")
        }
        return lines
    }
}
