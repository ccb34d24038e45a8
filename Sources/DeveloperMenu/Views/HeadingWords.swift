import FlagModel
import FlagQueries

/// The text of a heading.
struct HeadingWords {
    let name: String
    /// The number of a category's flags that are below the heading, if not all are; otherwise the number of overridden
    /// flags or, if it is 0, of all flags. Empty for other headings, and while a filter is set.
    let count: String

    init(_ heading: FlagRows.Heading, _ state: MenuState) {
        name = heading.name(on: state.board)
        guard state.list.filter.text.isEmpty, case .category(let index) = heading else {
            count = ""
            return
        }
        let items = state.board.catalog.categories[index].items
        let shown = state.list.shownCount(ofCategory: index)
        guard shown == items.count else {
            count = "\(shown) of \(items.count) shown"
            return
        }
        let overridden = state.board.overrideCount(in: items)
        count = overridden > 0 ? "\(overridden) of \(items.count) changed" : items.count.counted("flag")
    }
}

extension FlagRows.Heading {
    /// The name of the heading.
    func name(on board: FlagBoard) -> String {
        switch self {
        case .pinned: "Pinned"
        case .overridden: "Changed"
        case .category(let index): board.catalog.categories[index].name.string
        case .unlisted: FlagRows.unlistedHeading.string
        case .byName: "By name"
        case .prefix(""): "Other"
        case .prefix(let prefix): "\(prefix)*"
        }
    }
}
