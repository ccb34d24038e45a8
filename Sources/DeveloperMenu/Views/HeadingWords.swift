import FlagModel

/// The text of a heading: its name, and how many flags are below it; of how many, if some are elsewhere or not listed.
struct HeadingWords {
    let name: String
    let count: String

    init(_ heading: FlagList.Heading, _ state: MenuState) {
        name = heading.name(on: state.board)
        let isComplete = state.list.filter.text.isEmpty
        guard isComplete, case .category(let index) = heading else {
            count = ""
            return
        }
        let items = state.board.catalog.categories[index].items
        let shown = state.list.shownCount(ofCategory: index)
        guard shown == items.count else {
            count = "\(shown) of \(items.count) shown"
            return
        }
        let changed = state.board.overrideCount(in: items)
        count = changed > 0 ? "\(changed) of \(items.count) overridden" : items.count.counted("flag")
    }
}

extension FlagList.Heading {
    /// The name of the heading.
    func name(on board: FlagBoard) -> String {
        switch self {
        case .pinned: "Pinned"
        case .overridden: "Overridden"
        case .category(let index): board.catalog.categories[index].name.string
        case .unlisted: FlagRows.unlistedHeading.string
        case .byName: "By name"
        case .prefix(""): "Other"
        case .prefix(let prefix): "\(prefix)*"
        }
    }
}
