import FlagModel
import FlagQueries

/// The text of a heading.
struct HeadingWords {
    let name: String
    /// The number of a category's flags that are below the heading, if not all are; otherwise the number of changed
    /// flags or, if it is 0, of all flags. Empty while a filter is set.
    let count: String

    init(_ group: FlagRows.Group, _ state: MenuState) {
        name = group.heading.name(on: state.board)
        count = state.list.filter.text.isEmpty ? Self.count(group, state) : ""
    }

    private static func count(_ group: FlagRows.Group, _ state: MenuState) -> String {
        if state.list.showsChangesOnly { return "\(group.count)" }
        if case .category(let index) = group.heading {
            let total = state.board.catalog.categories[index].items.count
            if group.count != total { return "\(group.count) of \(total) shown" }
        }
        return group.changedCount > 0
            ? "\(group.changedCount) of \(group.count) changed" : group.count.counted("flag")
    }
}
