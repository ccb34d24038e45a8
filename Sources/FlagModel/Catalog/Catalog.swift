/// A named group of flags in a menu.
public struct FlagCategory: Sendable, Hashable {
    /// The name to show.
    public let name: FlagText
    /// The description of the category.
    public let details: FlagText?
    /// The indices of the category's items in `Catalog.items`.
    public internal(set) var items: Range<Int>
}

/// The list that a menu shows: flags by category, with their titles and options. No key appears twice.
public struct Catalog: Sendable {
    /// All items, category by category.
    public private(set) var items: [FlagItem] = []
    /// The categories in order; their ranges follow each other without a gap.
    public private(set) var categories: [FlagCategory] = []
    /// The parts of the document that were left out, and why.
    public internal(set) var issues: [DocumentIssue] = []
    /// The index of each key in `items`.
    private var index: [FlagText: Int] = [:]

    /// The name of the category for flags that have no category.
    public static let otherName: FlagText = "Other"

    /// A catalog without items.
    public static let empty = Catalog()

    /// Creates a catalog without items.
    package init() {}

    /// A catalog of sections in order. Of items with the same key, the first is used.
    public init(_ sections: [(category: FlagText, items: [FlagItem])]) {
        for section in sections {
            beginCategory(section.category, details: nil)
            for item in section.items { append(item) }
        }
    }

    /// The index of a key in `items`; `nil` if no item has it.
    public func index(of key: FlagText) -> Int? { index[key] }

    /// The item with a key; `nil` if there is none.
    public func item(_ key: String) -> FlagItem? { item(FlagText(key)) }

    /// The item with a key; `nil` if there is none.
    public func item(_ key: FlagText) -> FlagItem? { index(of: key).map { items[$0] } }

    /// Starts a category. Items that are appended later belong to the category.
    package mutating func beginCategory(_ name: FlagText, details: FlagText?) {
        categories.append(FlagCategory(name: name, details: details, items: items.count..<items.count))
    }

    /// Adds an item to the last category. Returns `false`, and changes nothing, if an item already has the key.
    @discardableResult
    package mutating func append(_ item: FlagItem) -> Bool {
        if let first = index.updateValue(items.count, forKey: item.key) {
            index[item.key] = first
            return false
        }
        let last = categories.count - 1
        items.append(item)
        items[items.count - 1].category = last
        categories[last].items = categories[last].items.lowerBound..<items.count
        return true
    }

    /// Completes the items of declared flags; see ``FlagItem/completed(by:)``.
    mutating func complete(by flags: [DeclaredFlag]) {
        for flag in flags {
            guard let position = index(of: FlagText(flag.key)) else { continue }
            items[position] = items[position].completed(by: flag)
        }
    }

    mutating func reserveCapacity(_ count: Int) {
        items.reserveCapacity(count)
        index.reserveCapacity(count)
    }
}
