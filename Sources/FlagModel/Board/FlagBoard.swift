/// All flags at one moment: the catalog, and the values of every layer.
public struct FlagBoard: Sendable, Equatable {
    /// The merged remote documents, with their catalog.
    public private(set) var snapshot = RemoteSnapshot.empty
    /// The number of times that the snapshot was replaced. `==` compares this number instead of the snapshots.
    public private(set) var generation = 0
    /// The values of every layer. The overrides are the saved overrides with pending edits applied.
    public private(set) var values: LayerValues
    /// Today's date, such as `2026-11-24`. Flags with an earlier date have expired; if `today` is empty, no flag has.
    public var today = ""
    /// The keys of overrides, and of the team's, that are not in the catalog, sorted.
    public private(set) var unlistedKeys: [FlagText] = []
    /// The places of overridden flags, sorted.
    public private(set) var overriddenPlaces: [Place] = []

    /// Creates a board without a catalog. `values` contains layers other than overrides and remote.
    public init(_ values: LayerValues = LayerValues()) { self.values = values }

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

    /// A flag's place on the board: the items of the catalog come first, by their indices, then `unlistedKeys`.
    public typealias Place = Int

    /// Replaces the snapshot, and with it the catalog and the remote and default layers.
    public mutating func replaceSnapshot(_ new: RemoteSnapshot) {
        snapshot = new
        generation += 1
        values[.remote].table = new.values
        values[.default].table = new.defaults
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

    /// Updates `overriddenPlaces` and `unlistedKeys`. Does nothing before the first snapshot: without a catalog, all
    /// keys would be unlisted.
    private mutating func indexOverrides() {
        guard generation > 0 else { return }
        let keys = values.overrides.keySet
        unlistedKeys = keys.union(values[.team].overrides.keySet).filter { catalog.index(of: $0) == nil }.sorted()
        overriddenPlaces = keys.compactMap { place(of: $0) }.sorted()
    }

    /// The overridden places among others that follow each other.
    public func overriddenPlaces(in places: Range<Place>) -> ArraySlice<Place> {
        let start = overriddenPlaces.partitioningIndex { $0 >= places.lowerBound }
        return overriddenPlaces[start..<overriddenPlaces.partitioningIndex { $0 >= places.upperBound }]
    }

    /// The places of all flags.
    public var places: Range<Place> { 0..<catalog.items.count + unlistedKeys.count }

    /// The places of overrides, here or of the team, whose keys are not in the catalog.
    public var unlistedPlaces: Range<Place> { catalog.items.count..<places.upperBound }

    /// The place of a key on the board; `nil` if it has none.
    public func place(of key: FlagText) -> Place? {
        if let index = catalog.index(of: key) { return index }
        let position = unlistedKeys.partitioningIndex { $0 >= key }
        return position < unlistedKeys.count && unlistedKeys[position] == key ? catalog.items.count + position : nil
    }

    /// The item of the catalog at a place; `nil` for an unlisted key.
    public func item(at place: Place) -> FlagItem? { place < catalog.items.count ? catalog.items[place] : nil }

    /// The key at a place.
    public func key(at place: Place) -> FlagText {
        place < catalog.items.count ? catalog.items[place].key : unlistedKeys[place - catalog.items.count]
    }

    /// Whether the flag at a place is overridden.
    public func isOverridden(_ place: Place) -> Bool { !overriddenPlaces(in: place..<place + 1).isEmpty }

    /// The facts of the flag at a place.
    public func facts(at place: Place) -> FlagFacts { facts(of: key(at: place), item(at: place), values) }

    /// The facts of a key. The key may have no place on the board: some keys have only a launch value.
    public func facts(of key: FlagText) -> FlagFacts { facts(of: key, catalog.item(key), values) }

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
        let key = FlagText(key)
        return facts(of: key, catalog.item(key), values)
    }

    private func facts(of key: FlagText, _ item: FlagItem?, _ values: LayerValues) -> FlagFacts {
        let explanation = values.resolve(key, type: item.map { snapshot.type(of: $0) } ?? .string)
        var facts = FlagFacts(
            key: key.string, item: item, explanation: explanation, values: values,
            areKeysKnown: snapshot.hasDocuments)
        if let item {
            facts.remoteNote = snapshot.note(of: key)?.string
            facts.remoteConditions = snapshot.conditions(of: key)
            facts.expiry = expiry(of: item)
            if !snapshot.declared.isEmpty {
                facts.declarations = snapshot.declared.declarations(of: facts.key)
                facts.mismatches = snapshot.mismatches[facts.key] ?? []
            }
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
    public func isExpired(_ place: Place) -> Bool { item(at: place).flatMap(expiry) != nil }
}
