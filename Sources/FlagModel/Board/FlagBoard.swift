/// All flags at one moment: the catalog, and the values of every layer.
public struct FlagBoard: Sendable, Equatable {
    /// The merged remote documents, with their catalog.
    public private(set) var snapshot: RemoteSnapshot
    /// The number of times that the snapshot was replaced. `==` compares this number instead of the snapshots.
    public private(set) var generation: Int
    /// The values of every layer. The overrides are the saved overrides with pending edits applied.
    public private(set) var values: LayerValues
    /// Today's date, such as `2026-11-24`. Flags with an earlier date have expired; if `today` is empty, no flag has.
    public var today = ""
    /// The keys of overrides, and of the team's, that are not in the catalog, sorted.
    public private(set) var unlistedKeys: [String]
    /// The indices of the catalog's items that have an override, sorted.
    public private(set) var overriddenItems: [Int] = []

    /// Creates a board without a catalog. `values` contains layers other than overrides and remote.
    public init(_ values: LayerValues = LayerValues()) {
        snapshot = .empty
        generation = 0
        self.values = values
        unlistedKeys = []
    }

    /// The catalog.
    public var catalog: Catalog { snapshot.catalog }

    /// A board from a snapshot and values.
    public init(
        snapshot: RemoteSnapshot, launch: FlagTable<String>, overrides: FlagTable<FlagOverride>,
        team: FlagTable<FlagOverride> = [:]
    ) {
        self.init(LayerValues([.launch: LayerContent(texts: launch)]))
        values[.team].overrides = team
        replaceSnapshot(snapshot)
        replaceOverrides(overrides)
    }

    /// Compares generations instead of snapshots: a snapshot may have 100,000 flags.
    public static func == (left: FlagBoard, right: FlagBoard) -> Bool {
        left.generation == right.generation && left.today == right.today
            && FlagLayer.aboveRemote.allSatisfy { left.values[$0] == right.values[$0] }
    }

    /// A flag's place on the board.
    public enum Place: Sendable, Hashable {
        /// An item of the catalog, by its index.
        case item(Int)
        /// An override of an unlisted key, here or of the team, by its index in `unlistedKeys`.
        case unlisted(Int)
    }

    /// Replaces the snapshot, and with it the catalog and the remote and default layers.
    public mutating func replaceSnapshot(_ new: RemoteSnapshot) {
        snapshot = new
        generation += 1
        values.remote = new.values
        values.defaults = new.defaults
        indexOverrides()
    }

    /// Replaces all overrides.
    public mutating func replaceOverrides(_ new: FlagTable<FlagOverride>) {
        values.overrides = new
        indexOverrides()
    }

    /// Replaces the overrides of the team.
    public mutating func replaceTeam(_ new: FlagTable<FlagOverride>) {
        values[.team].overrides = new
        indexOverrides()
    }

    /// Updates `overriddenItems` and `unlistedKeys`. Does nothing before the first snapshot: without a catalog, all
    /// keys would be unlisted.
    private mutating func indexOverrides() {
        guard generation > 0 else { return }
        (overriddenItems, unlistedKeys) = ([], [])
        for key in values.overrides.keys {
            if let index = catalog.index(of: FlagText(key)) {
                overriddenItems.append(index)
            } else {
                unlistedKeys.append(key)
            }
        }
        for key in values[.team].overrides.keys
        where values.overrides[key] == nil && catalog.index(of: FlagText(key)) == nil {
            unlistedKeys.append(key)
        }
        overriddenItems.sort()
        unlistedKeys.sort()
    }

    /// The indices of the overridden items within `items`, a range of the catalog's indices.
    public func overriddenItems(in items: Range<Int>) -> ArraySlice<Int> {
        let start = overriddenItems.partitioningIndex { $0 >= items.lowerBound }
        return overriddenItems[start..<overriddenItems.partitioningIndex { $0 >= items.upperBound }]
    }

    /// How many items within `items` are overridden.
    public func overrideCount(in items: Range<Int>) -> Int { overriddenItems(in: items).count }

    /// The places of all flags: the catalog's items in order, then unlisted overrides.
    public var places: [Place] { catalog.items.indices.map(Place.item) + unlistedKeys.indices.map(Place.unlisted) }

    /// The place of a key on the board; `nil` if it has none.
    public func place(of key: FlagText) -> Place? {
        if let index = catalog.index(of: key) { return .item(index) }
        let name = key.string
        let position = unlistedKeys.partitioningIndex { $0 >= name }
        return position < unlistedKeys.count && unlistedKeys[position] == name ? .unlisted(position) : nil
    }

    /// The places of overridden flags: the catalog's items in order, then unlisted overrides.
    public var overriddenPlaces: [Place] {
        overriddenItems.map(Place.item) + unlistedKeys.indices.map(Place.unlisted).filter(isOverridden)
    }

    /// The key at a place.
    public func key(at place: Place) -> FlagText {
        switch place {
        case .item(let index): catalog.items[index].key
        case .unlisted(let index): FlagText(unlistedKeys[index])
        }
    }

    /// Whether the flag at a place is overridden.
    public func isOverridden(_ place: Place) -> Bool {
        switch place {
        case .item(let index): overrideCount(in: index..<index + 1) > 0
        case .unlisted(let index): values.overrides[unlistedKeys[index]] != nil
        }
    }

    /// The values of every layer for an item of the catalog.
    public func explanation(of item: FlagItem) -> Explanation {
        values.resolve(item.key, type: snapshot.type(of: item))
    }

    /// The facts of a key. The key may have no place on the board: some keys have only a launch value.
    public func facts(of key: FlagText) -> FlagFacts {
        place(of: key).map(facts(at:)) ?? unlistedFacts(key.string, values)
    }

    /// The facts of a key on the board, or with a launch value; `nil` if the key is unknown.
    public func knownFacts(of key: String) -> FlagFacts? {
        let text = FlagText(key)
        guard place(of: text) != nil || values.text(of: key, in: .launch) != nil else { return nil }
        return facts(of: text)
    }

    /// The name of the category of a flag; `nil` for an unlisted key.
    public func categoryName(of facts: FlagFacts) -> String? {
        facts.item.map { catalog.categories[$0.category].name.string }
    }

    /// The facts that a key, in the catalog or not, would have with these overrides.
    public func facts(of key: String, overrides: FlagTable<FlagOverride>) -> FlagFacts {
        var values = values
        values.overrides = overrides
        guard let index = catalog.index(of: FlagText(key)) else { return unlistedFacts(key, values) }
        return facts(of: catalog.items[index], values)
    }

    private func unlistedFacts(_ key: String, _ values: LayerValues) -> FlagFacts {
        FlagFacts(unlisted: key, values: values, areKeysKnown: snapshot.hasDocuments)
    }

    private func facts(of item: FlagItem, _ values: LayerValues) -> FlagFacts {
        var facts = FlagFacts(
            item: item, explanation: values.resolve(item.key, type: snapshot.type(of: item)), values: values)
        facts.remoteNote = snapshot.note(of: item.key)?.string
        facts.remoteConditions = snapshot.conditions(of: item.key)
        facts.expiry = expiry(of: item)
        if !snapshot.declared.isEmpty {
            facts.declarations = snapshot.declared.declarations(of: facts.key)
            facts.mismatches = snapshot.mismatches[facts.key] ?? []
        }
        return facts
    }

    /// The date on which an item expired; `nil` if it has not.
    private func expiry(of item: FlagItem) -> String? {
        guard !today.isEmpty, let expires = item.expires else { return nil }
        // ISO dates compare as text.
        let date = expires.string
        return date < today ? date : nil
    }

    /// Whether the flag at a place has expired.
    public func isExpired(_ place: Place) -> Bool {
        if case .item(let index) = place { expiry(of: catalog.items[index]) != nil } else { false }
    }

    /// The facts of the flag at a place.
    public func facts(at place: Place) -> FlagFacts {
        switch place {
        case .item(let index): facts(of: catalog.items[index], values)
        case .unlisted(let index): unlistedFacts(unlistedKeys[index], values)
        }
    }
}
