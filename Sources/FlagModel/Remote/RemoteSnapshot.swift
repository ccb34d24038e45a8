/// All sources at one moment, merged: the first document wins by key, catalogs follow each other.
public struct RemoteSnapshot: Sendable {
    /// All flags: categories of the same name are merged, and keys in no catalog are in `Other`.
    public let catalog: Catalog
    /// The remote values.
    public let values: ValueTable
    /// The values compiled into the app.
    public let defaults: ValueTable
    /// What the documents left out, in order.
    public let problems: [DocumentProblem]
    private let tables: [ValueTable]
    private let places: [Int]
    private let documents: [Reasons]
    private let types: [FlagText: FlagType]

    /// Merges documents, the first one first, and the values compiled into the app.
    ///
    /// - Parameter places: the index of each document's source among all sources, some of which may have none; by
    ///   default, the documents' own indices.
    public init(documents: [RemoteDocument], places: [Int]? = nil, defaults: ValueTable = ValueTable()) {
        self.places = places ?? Array(documents.indices)
        tables = documents.map(\.values)
        self.documents = documents.map(Reasons.init)
        let values = ValueTable.joined(tables)
        self.values = values
        types = documents.reduce(into: [:]) { types, document in
            types = types.isEmpty ? document.types : types.merging(document.types) { first, _ in first }
        }
        problems = documents.flatMap(\.problems)
        self.defaults = defaults
        let described = documents.compactMap(\.parameters)
        // A catalog written by hand is meant for flags of every source, even if an earlier one lists its flags without
        // one.
        let catalogs = documents.filter(\.isCatalogWritten) + documents.filter { !$0.isCatalogWritten }
        catalog = CatalogJoin.join(catalogs.compactMap(\.catalog)) { catalog in
            [values, defaults].flatMap { table in
                Self.strays(of: table, in: catalog)
            }.map { key in described.lazy.compactMap { $0.item(key) }.first ?? FlagItem(key: key) }
        }
    }

    /// The keys that are not in a catalog. Documents mostly list values in the order of the catalog, so the next item
    /// is tried before any search: at 100,000 flags that is most of the time of a merge.
    private static func strays(of table: ValueTable, in catalog: Catalog) -> [FlagText] {
        var next = 0
        return table.keys.filter { key in
            let isNext = next < catalog.items.count && catalog.items[next].key == key
            guard let found = isNext ? next : catalog.index(of: key) else { return !key.isWord("config_categories") }
            next = found + 1
            return false
        }
    }

    /// A snapshot without sources.
    public static let empty = RemoteSnapshot(documents: [])

    /// The index of the document whose value of the key is in use; `nil` if none has one.
    public func source(of key: FlagText) -> Int? { tables.firstIndex { $0[key] != nil } }

    /// The sources that have a value for a key, by index, each with its value. The first one's is in use.
    public func holders(of key: FlagText) -> [(place: Int, value: FlagText)] {
        zip(places, tables).compactMap { place, table in table[key].map { (place, $0) } }
    }

    /// Why a key has its remote value, if the source in use says so; for a key without a value in any source, why the
    /// first one that says so leaves it to the app.
    public func note(of key: FlagText) -> FlagText? { reason(of: key, \.notes) }

    /// The conditions that a key has values for, in order of evaluation, of that same source.
    public func conditions(of key: FlagText) -> [ConditionStep] {
        guard let found = reason(of: key, \.steps) else { return [] }
        return ConditionStep.steps(found)
    }

    private func reason<Value>(of key: FlagText, _ reasons: KeyPath<Reasons, [FlagText: Value]>) -> Value? {
        guard documents.contains(where: { !$0[keyPath: reasons].isEmpty }) else { return nil }
        guard let index = source(of: key) else {
            return documents.lazy.compactMap { $0[keyPath: reasons][key] }.first
        }
        return documents[index][keyPath: reasons][key]
    }

    /// The type of a flag: from the catalog, else the remote document, else inferred from the options or the value.
    public func type(of item: FlagItem) -> FlagType {
        if let known = item.declaredType ?? types[item.key] { return known }
        return item.type(value: values[item.key] ?? defaults[item.key])
    }

    /// The type of a key, in the catalog or not.
    public func type(of key: FlagText) -> FlagType {
        type(of: catalog.index(of: key).map { catalog.items[$0] } ?? FlagItem(key: key))
    }
}

/// Why the keys of one document have their values.
private struct Reasons: Sendable {
    let notes: [FlagText: FlagText]
    let steps: [FlagText: [RemoteCondition]]

    init(_ document: RemoteDocument) {
        notes = document.notes
        let conditions = Dictionary(document.conditions.map { ($0.name, $0) }) { first, _ in first }
        steps = document.chains.mapValues { names in names.compactMap { conditions[$0] } }
    }
}

/// Merges catalogs.
enum CatalogJoin {
    private struct Section {
        let name: FlagText
        let details: FlagText?
        var items: [FlagItem]
    }

    /// The catalogs in order, then under `Other` the items that `strays` makes for other keys.
    static func join(_ catalogs: [Catalog], strays: (Catalog) -> [FlagItem]) -> Catalog {
        var result = catalogs.first ?? .empty
        if catalogs.count > 1 || !isTidy(result) { result = merged(catalogs) }
        let others = strays(result)
        guard !others.isEmpty else { return result }
        guard !result.categories.contains(where: { $0.name == Catalog.otherName }) else {
            return merged([result, Catalog([(category: Catalog.otherName, items: others)])])
        }
        result.beginCategory(Catalog.otherName, details: nil)
        for item in others { result.append(item) }
        return result
    }

    /// Whether a catalog can be shown unchanged: unique names, and no category without items.
    private static func isTidy(_ catalog: Catalog) -> Bool {
        let names = Set(catalog.categories.map(\.name))
        return names.count == catalog.categories.count && catalog.categories.allSatisfy { !$0.items.isEmpty }
    }

    private static func merged(_ catalogs: [Catalog]) -> Catalog {
        var sections: [Section] = []
        var places: [FlagText: Int] = [:]
        for catalog in catalogs {
            for category in catalog.categories where !category.items.isEmpty {
                let place = places[category.name] ?? sections.count
                if place == sections.count {
                    places[category.name] = place
                    sections.append(Section(name: category.name, details: category.details, items: []))
                }
                sections[place].items += catalog.items[category.items]
            }
        }
        return laidOut(sections, problems: catalogs.flatMap(\.problems))
    }

    private static func laidOut(_ sections: [Section], problems: [DocumentProblem]) -> Catalog {
        var result = Catalog()
        result.reserveCapacity(sections.reduce(0) { $0 + $1.items.count })
        result.problems = problems
        for section in sections {
            let fresh = section.items.filter { result.index(of: $0.key) == nil }
            guard !fresh.isEmpty else { continue }
            result.beginCategory(section.name, details: section.details)
            for item in fresh { result.append(item) }
        }
        return result
    }
}
