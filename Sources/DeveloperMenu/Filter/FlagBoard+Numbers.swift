import FlagModel

// Flag numbers, which search and list use instead of places: the catalog's items first, then unlisted overrides.
extension FlagBoard {
    /// The number of a place.
    func number(_ place: Place) -> Int {
        switch place {
        case .item(let index): index
        case .unlisted(let index): catalog.items.count + index
        }
    }

    /// The place with a number.
    func place(_ number: Int) -> Place {
        number < catalog.items.count ? .item(number) : .unlisted(number - catalog.items.count)
    }

    /// How many numbers there are.
    var placeCount: Int { catalog.items.count + unlistedKeys.count }

    /// The numbers of unlisted overrides.
    var unlistedNumbers: Range<Int> { catalog.items.count..<placeCount }

    /// The numbers of all flags that have an override, in order.
    var overriddenNumbers: [Int] { overriddenItems + unlistedNumbers }
}
