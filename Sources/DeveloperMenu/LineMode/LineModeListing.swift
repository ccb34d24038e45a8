import FlagModel
import FlagQueries

/// A page of the list of flags. Each flag is on a line with the number by which the user chooses it.
struct LineModeListing {
    /// The number of flags per page.
    static let pageSize = 20

    let state: MenuState
    /// The number of flags printed before this page.
    let start: Int

    /// The lines of the page, and the keys of its flags in the same order.
    func page() -> (lines: [String], keys: [FlagText]) {
        var lines = start == 0 ? [countLine].compactMap { $0 } : []
        var keys: [FlagText] = []
        var header: String?
        var number = 0
        for row in state.list.rows where number < start + Self.pageSize {
            guard case .flag(let place) = row else {
                header = heading(of: row) ?? header
                if start == 0, case .part(let part) = row {
                    lines += [header, PartWords(part, state).sentence].compactMap { $0 }
                    header = nil
                }
                continue
            }
            number += 1
            guard number > start else { continue }
            if let heading = header {
                lines.append(heading)
                header = nil
            }
            let mark = state.list.marks.contains(state.board.key(at: place)) ? "Marked. " : ""
            lines.append("\(number). \(mark)\(FlagSentences(state.board.facts(at: place)).brief)")
            keys.append(state.board.key(at: place))
        }
        guard state.list.flagCount > 0 else { return (lines.isEmpty ? emptyLines : lines, []) }
        return (lines + [ending(after: start + keys.count)], keys)
    }

    /// Why the list is empty, and what to type if the filter hides everything.
    private var emptyLines: [String] {
        guard !state.list.filter.text.isEmpty || state.list.showsChangesOnly else {
            return EmptyList(state: state).lines
        }
        let filter = state.list.filter.text
        let reason =
            filter.isEmpty
            ? EmptyList(state: state).lines.first ?? "No flag is listed." : "No flag matches \(filter.cited)."
        let word = state.keymap.action(.cancel, in: .list).map(LineModeCommands.name)
        return [reason + (word.map { " Type \"\($0)\" for all flags." } ?? "")]
    }

    /// How many flags are listed, why not all flags are listed, and the order; `nil` if all are listed in catalog
    /// order.
    private var countLine: String? {
        let order = state.list.hasOtherOrder ? ", \(state.list.order.label)" : ""
        // For an empty list, `emptyLines` is printed instead.
        guard state.list.isNarrowed || !order.isEmpty, state.list.flagCount > 0 else { return nil }
        let total = state.board.places.count
        let filter = state.list.filter.text.isEmpty ? "" : ", filtered by \(state.list.filter.text)"
        let only = state.list.showsChangesOnly ? ", changed only" : ""
        return "\(state.list.flagCount) of \(total.counted("flag"))\(filter)\(only)\(order)."
    }

    private func heading(of row: FlagRows.Row) -> String? {
        switch row {
        case .header(let group), .folded(let group):
            let words = HeadingWords(group, state)
            return words.count.isEmpty ? "\(words.name):" : "\(words.name), \(words.count):"
        case .flag, .part, .gap: return nil
        }
    }

    /// The last line of a page: how many flags follow, and how to list them.
    private func ending(after printed: Int) -> String {
        let left = state.list.flagCount - printed
        guard left > 0 else { return start == 0 ? "End of the list." : "End of the list. Type list to start over." }
        return "\(printed) of \(state.list.flagCount) flags. more lists the next \(min(left, Self.pageSize))."
    }
}
