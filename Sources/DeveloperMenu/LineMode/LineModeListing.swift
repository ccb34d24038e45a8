import FlagModel
import FlagQueries

/// Pages of the list of flags. Each flag is on a line with the number by which the user chooses it.
struct LineModeListing {
    let state: MenuState
    private var list: FlagList { state.list }

    /// The number of flags per page.
    private static let pageSize = 20

    /// The lines of the page after `start` flags, and the keys of its flags in the same order.
    func page(after start: Int) -> (lines: [String], keys: [FlagText]) {
        var lines = start == 0 ? [countLine].compactMap { $0 } : []
        var keys: [FlagText] = []
        var header: String?
        var number = 0
        for row in list.rows where number < start + Self.pageSize {
            var line: String?
            switch row {
            case .gap: break
            case .header(let group), .folded(let group):
                let words = HeadingWords(group, state)
                header = words.count.isEmpty ? "\(words.name):" : "\(words.name), \(words.count):"
            case .part(let part): line = start == 0 ? PartWords(part, state).sentence : nil
            case .flag(let place):
                number += 1
                guard number > start else { continue }
                keys.append(state.board.key(at: place))
                let mark = list.marks.contains(keys[keys.count - 1]) ? "Marked. " : ""
                line = "\(number). \(mark)\(FlagSentences(state.board.facts(at: place), at: state.now).brief)"
            }
            guard let line else { continue }
            lines += [header, line].compactMap { $0 }
            header = nil
        }
        guard list.flagCount > 0 else { return (lines.isEmpty ? emptyLines : lines, []) }
        return (lines + [ending(after: start + keys.count, isFirst: start == 0)], keys)
    }

    /// Why the list is empty, and what to type if the filter hides everything.
    private var emptyLines: [String] {
        let (filter, lines) = (list.filter.text, EmptyList(state: state).lines)
        guard list.isNarrowed else { return lines }
        let reason = filter.isEmpty ? lines.first ?? "No flag is listed." : "No flag matches \(filter.cited)."
        let word = state.keymap.action(.cancel, in: .list).map(LineModeCommands.name)
        return [reason + (word.map { " Type \"\($0)\" for all flags." } ?? "")]
    }

    /// How many flags are listed, why not all flags are listed, and the order; `nil` if all are listed in catalog
    /// order.
    private var countLine: String? {
        let order = list.hasOtherOrder ? ", \(list.order.label)" : ""
        // For an empty list, `emptyLines` is printed instead.
        guard list.isNarrowed || !order.isEmpty, list.flagCount > 0 else { return nil }
        let total = state.board.places.count
        let filter = list.filter.text.isEmpty ? "" : ", filtered by \(list.filter.text)"
        let only = list.showsChangesOnly ? ", changed only" : ""
        return "\(list.flagCount) of \(total.counted("flag"))\(filter)\(only)\(order)."
    }

    /// The last line of a page: how many flags follow, and how to list them.
    private func ending(after printed: Int, isFirst: Bool) -> String {
        let left = list.flagCount - printed
        guard left > 0 else { return isFirst ? "End of the list." : "End of the list. Type list to start over." }
        return "\(printed) of \(list.flagCount) flags. more lists the next \(min(left, Self.pageSize))."
    }
}
