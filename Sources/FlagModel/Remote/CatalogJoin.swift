enum CatalogJoin {
    /// The merged catalogs in order, then a category `Other` with the items that `otherItems` returns for the merged
    /// catalog.
    static func join(_ catalogs: [Catalog], otherItems: (Catalog) -> [FlagItem]) -> Catalog {
        var result = catalogs.first ?? .empty
        if catalogs.count > 1 || !canBeShownUnchanged(result) { result = merged(catalogs) }
        let others = otherItems(result)
        guard !others.isEmpty else { return result }
        guard !result.categories.contains(where: { $0.name == Catalog.otherName }) else {
            return merged([result, Catalog([(category: Catalog.otherName, items: others)])])
        }
        result.beginCategory(Catalog.otherName, details: nil)
        for item in others { result.append(item) }
        return result
    }

    /// Whether a catalog has unique category names, and no category without items.
    private static func canBeShownUnchanged(_ catalog: Catalog) -> Bool {
        let names = Set(catalog.categories.map(\.name))
        return names.count == catalog.categories.count && catalog.categories.allSatisfy { !$0.items.isEmpty }
    }

    private static func merged(_ catalogs: [Catalog]) -> Catalog {
        var sections = CatalogSections()
        for catalog in catalogs {
            for category in catalog.categories where !category.items.isEmpty {
                sections.add(catalog.items[category.items], to: category.name, details: category.details)
            }
        }
        return sections.catalog
    }
}

/// The items of a catalog that is made, by category.
struct CatalogSections: Sendable {
    /// The descriptions by category name. A category without a description is missing.
    var details: [FlagText: FlagText] = [:]
    private var sections: [(name: FlagText, items: [FlagItem])] = []
    /// The index of each category in `sections`.
    private var indices: [FlagText: Int] = [:]

    /// Adds items to a category. The description counts if the category is new.
    mutating func add(_ items: some Sequence<FlagItem>, to name: FlagText, details: FlagText? = nil) {
        let index = indices[name] ?? sections.count
        if index == sections.count {
            indices[name] = index
            sections.append((name, []))
            if let details { self.details[name] = details }
        }
        sections[index].items += items
    }

    /// The categories with items; of items with the same key, the first is used.
    var catalog: Catalog {
        var result = Catalog()
        result.reserveCapacity(sections.reduce(0) { $0 + $1.items.count })
        for section in sections {
            let newItems = section.items.filter { result.index(of: $0.key) == nil }
            guard !newItems.isEmpty else { continue }
            result.beginCategory(section.name, details: details[section.name])
            for item in newItems { result.append(item) }
        }
        return result
    }
}
