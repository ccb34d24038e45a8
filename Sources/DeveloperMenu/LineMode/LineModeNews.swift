import FlagModel

/// The differences between two states, in sentences, which a screen shows by itself.
struct LineModeNews {
    /// The state printed last.
    let old: MenuState
    let new: MenuState

    /// More flags than this are counted, not printed one by one.
    private static let limit = 5

    var lines: [String] { changes + counts + problems }

    private var changes: [String] {
        let keys = changedKeys
        let places = keys.compactMap(new.board.place(of:))
        let gone = keys.filter { new.board.place(of: $0) == nil }
        var lines = places.prefix(Self.limit).map { FlagSentences(new.board.facts(at: $0), in: new).brief }
        if places.count > Self.limit {
            lines.append("And \((places.count - Self.limit).counted("more flag")) changed.")
        }
        lines += gone.prefix(Self.limit).map { "\($0.string): no longer listed." }
        return lines
    }

    /// Keys whose override or other value changed, in the order of the board.
    private var changedKeys: [FlagText] {
        if old.board.generation == 0 { return [] }
        let isSameSnapshot = old.board.generation == new.board.generation
        let (before, after) = (old.board.values.overrides, new.board.values.overrides)
        guard before != after || !isSameSnapshot else { return [] }
        let touched: Set<String> = Set(before.keys).union(after.keys)
        let overridden = touched.filter { before[$0]?.value != after[$0]?.value }
        let listed: [FlagText] = new.board.places.map(new.board.key(at:)).filter { key in
            overridden.contains(key.string) || (!isSameSnapshot && isChanged(key))
        }
        let known = Set(listed.map(\.string))
        return listed + overridden.subtracting(known).sorted().map { FlagText($0) }
    }

    private func isChanged(_ key: FlagText) -> Bool {
        old.board.values.remote[key] != new.board.values.remote[key]
            || old.board.values.defaults[key] != new.board.values.defaults[key]
    }

    private var counts: [String] {
        var lines: [String] = []
        if old.overrideCount != new.overrideCount { lines.append(LineModeSummary(state: new).overrides) }
        if let count = new.remote.waitingCount, old.remote.waitingCount != count, new.message == nil {
            lines.append("\(LineModeSummary.waiting(count)). \(new.keyWord(of: .activate)) activates.")
        }
        return lines
    }

    private var problems: [String] {
        let before = LineModeSummary(state: old).problems
        let lines = LineModeSummary(state: new).problems
        guard before != lines else { return [] }
        return lines.isEmpty ? ["The error is gone."] : lines.filter { !before.contains($0) }
    }
}
