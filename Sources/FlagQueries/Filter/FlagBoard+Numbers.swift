package import FlagModel

// Search and list use flag numbers instead of places. Numbers start with the items of the catalog, followed by unlisted
// overrides.
extension FlagBoard {
    /// The number of the flag at a place.
    package func number(_ place: Place) -> Int {
        switch place {
        case .item(let index): index
        case .unlisted(let index): catalog.items.count + index
        }
    }

    /// The place of the flag with a number.
    package func place(_ number: Int) -> Place {
        number < catalog.items.count ? .item(number) : .unlisted(number - catalog.items.count)
    }

    /// The number of flags: the catalog's items and the unlisted overrides.
    package var placeCount: Int { catalog.items.count + unlistedKeys.count }

    /// The numbers of all flags.
    var numbers: [Int] { Array(0..<placeCount) }

    /// The numbers of unlisted overrides.
    var unlistedNumbers: Range<Int> { catalog.items.count..<placeCount }

    /// The numbers of all flags that have an override, in order.
    package var overriddenNumbers: [Int] { overriddenItems + unlistedNumbers.filter { isOverridden($0) } }

    /// The numbers of all flags that have a launch value, in order.
    var launchedNumbers: [Int] { values[.launch].keys.compactMap { place(of: $0).map(number) }.sorted() }

    func isOverridden(_ number: Int) -> Bool { isOverridden(place(number)) }
}
