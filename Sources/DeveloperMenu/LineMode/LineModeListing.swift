import FlagModel

/// A page of the list in lines, each flag with the number that chooses it.
struct LineModeListing {
    /// How many flags are printed per page.
    static let pageSize = 20

    let state: MenuState
    /// How many flags were printed before this page.
    let start: Int

    /// The lines of the page, and the keys behind its numbers.
    func page() -> (lines: [String], keys: [FlagText]) {
        var lines = start == 0 ? [narrowing].compactMap { $0 } : []
        var keys: [FlagText] = []
        var header: String?
        var passed = 0
        for row in state.list.rows where passed < start + Self.pageSize {
            guard case .flag(let place) = row else {
                header = heading(of: row) ?? header
                continue
            }
            passed += 1
            guard passed > start else { continue }
            if let heading = header {
                lines.append(heading)
                header = nil
            }
            let mark = state.list.marks.contains(state.board.key(at: place)) ? "Marked. " : ""
            lines.append("\(passed). \(mark)\(FlagSentences(state.board.facts(at: place), in: state).brief)")
            keys.append(state.board.key(at: place))
        }
        guard state.list.flagCount > 0 else { return (lines + emptiness, []) }
        return (lines + [ending(after: start + keys.count)], keys)
    }

    /// Why the list is empty, and what to type if the filter hides everything.
    private var emptiness: [String] {
        guard !state.list.filter.text.isEmpty || state.list.showsOverriddenOnly else {
            return EmptyList(state: state).lines
        }
        let filter = state.list.filter.text
        let reason =
            filter.isEmpty
            ? EmptyList(state: state).lines.first ?? "No flag is listed." : "No flag matches \(filter.cited)."
        let word = state.keymap.action(.cancel, in: .list).map(LineModeCommands.name)
        return [reason + (word.map { " Type \"\($0)\" for all flags." } ?? "")]
    }

    /// Why not all flags are listed, and how many are.
    private var narrowing: String? {
        let order = state.list.order == .catalog ? "" : ", \(state.list.order.words)"
        // If the list is empty, its reason says this.
        guard state.isNarrowed || !order.isEmpty, state.list.flagCount > 0 else { return nil }
        let total = state.board.placeCount
        let filter = state.list.filter.text.isEmpty ? "" : ", filtered by \(state.list.filter.text)"
        let only = state.list.showsOverriddenOnly ? ", overridden only" : ""
        return "\(state.list.flagCount) of \(total.counted("flag"))\(filter)\(only)\(order)."
    }

    private func heading(of row: FlagList.Row) -> String? {
        guard case .header(let heading) = row else { return nil }
        let words = HeadingWords(heading, state)
        return words.count.isEmpty ? "\(words.name):" : "\(words.name), \(words.count):"
    }

    private func ending(after told: Int) -> String {
        let left = state.list.flagCount - told
        guard left > 0 else { return start == 0 ? "End of the list." : "End of the list. list starts again." }
        return "\(told) of \(state.list.flagCount) flags. more lists the next \(min(left, Self.pageSize))."
    }
}
