import FlagModel
import FlagQueries

/// The differences between two states, in sentences. Line mode prints them because it does not redraw the screen.
struct LineModeUpdates {
    /// The most recently printed state.
    let old: MenuState
    /// The current state.
    let new: MenuState

    /// The maximum number of changed flags to print. Further flags are only counted.
    private static let limit = 5

    var lines: [String] { changes + counts + issues }

    private var changes: [String] {
        let keys = changedKeys
        let places = keys.compactMap(new.board.place(of:))
        let gone = keys.filter { new.board.place(of: $0) == nil }
        var lines = places.prefix(Self.limit).map { FlagSentences(new.board.facts(at: $0)).brief }
        if places.count > Self.limit {
            lines.append("And \((places.count - Self.limit).counted("more flag")) changed.")
        }
        lines += gone.prefix(Self.limit).map { "\($0.string): no longer listed." }
        return lines
    }

    /// The keys of flags whose override or other value has changed: first listed flags in the order of the board, then
    /// the other flags.
    private var changedKeys: [FlagText] {
        guard old.board.generation > 0, old.board != new.board else { return [] }
        let (before, after) = (old.board.values, new.board.values)
        let changed = after.overrides.mapValues(\.value).changedKeys(from: before.overrides.mapValues(\.value))
        let listed = new.board.places.map(new.board.key(at:)).filter { key in
            changed.contains(key) || before.remote[key] != after.remote[key]
                || before.defaults[key] != after.defaults[key]
        }
        return listed + changed.subtracting(listed).sorted()
    }

    private var counts: [String] {
        var lines: [String] = []
        if old.changeCount != new.changeCount { lines.append(LineModeSummary(state: new).overrides) }
        if let count = new.remote.waitingCount, old.remote.waitingCount != count, new.message == nil {
            lines.append("\(LineModeSummary.waiting(count)). \(new.keyWord(of: .activate)) activates.")
        }
        return lines
    }

    private var issues: [String] {
        let oldIssues = LineModeSummary(state: old).issues
        let newIssues = LineModeSummary(state: new).issues
        guard oldIssues != newIssues else { return [] }
        return newIssues.isEmpty ? ["The error is fixed."] : newIssues.filter { !oldIssues.contains($0) }
    }
}
