import DeveloperMenu
import FlagModel
import FlagStorage

/// What a command works on: settings, remote values, overrides, and the flags that come of them.
struct Workspace {
    let settings: Settings
    let store: OverrideStore
    let reading: StoreReading
    let remote: OpenedRemote
    let board: FlagBoard

    /// Opens everything that the settings name.
    ///
    /// - Parameter asking: which services are asked for that.
    /// - Throws: a sentence when no source can be read and no last good values are kept.
    static func open(
        _ settings: Settings, asking: RemoteFiles.Asking = .unknown
    ) throws(CommandFailure) -> Workspace {
        let store = makeStore(settings)
        let remote = try RemoteFiles(settings).open(asking)
        let reading = store.read()
        let board = FlagBoard(
            snapshot: remote.snapshot, launch: settings.launch, overrides: reading.table.overrides)
        return Workspace(settings: settings, store: store, reading: reading, remote: remote, board: board)
    }

    /// The store of the settings.
    static func makeStore(_ settings: Settings) -> OverrideStore {
        OverrideStore(
            directory: settings.storeDirectory, author: settings.environment.userName, now: SystemClock.now,
            refusal: settings.readOnlyRefusal)
    }

    /// What is wrong and worked around, a sentence each.
    var remarks: [String] {
        [settings.configuration.readOnlyDoubt].compactMap { $0.map { "\($0) Changes are refused until then." } }
            + (settings.project?.remarks ?? []) + remote.problems + [reading.problem].compactMap { $0 }
    }

    /// Everything about a key that some layer or the catalog knows.
    ///
    /// - Throws: a sentence with the nearest keys when nothing knows the key.
    func facts(of key: String) throws(CommandFailure) -> FlagFacts {
        guard let facts = knownFacts(of: key) else { throw unknownKey(key) }
        return facts
    }

    /// Everything about a key, whether anybody lists it or not.
    func factsOfAny(_ key: String) -> FlagFacts { board.facts(of: FlagText(key)) }

    /// The same for a key that is to be set: `nil` where nothing knows it and that is all right.
    func facts(of key: String, allowsNew: Bool) throws(CommandFailure) -> FlagFacts? {
        if let facts = knownFacts(of: key) { return facts }
        guard !key.isEmpty else {
            throw CommandFailure(.usage, "A key needs at least one character. Nothing was changed.")
        }
        guard !allowsNew else { return nil }
        let failure = unknownKey(key)
        throw CommandFailure(
            failure.status, "\(failure.sentence) Nothing was changed; --new sets it anyway.")
    }

    /// The same, or `nil` when nothing knows the key.
    func knownFacts(of key: String) -> FlagFacts? {
        let isKnown = board.place(of: FlagText(key)) != nil || settings.launch[key] != nil
        return isKnown ? factsOfAny(key) : nil
    }

    /// The flags of a category, by its name in any case.
    func places(inCategory name: String) throws(CommandFailure) -> [FlagBoard.Place] {
        let categories = board.catalog.categories
        guard let category = categories.first(where: { $0.name.string.lowercased() == name.lowercased() }) else {
            let hint = NearestKeys.question(about: name, among: categories.lazy.map(\.name.string), naming: 3)
            throw CommandFailure(.noMatch, "There is no category \(JSONOutput.quoted(name, limit: 60)).\(hint)")
        }
        return category.items.map(FlagBoard.Place.item)
    }

    /// The flags that the menu lists for a filter, to be changed.
    ///
    /// - Throws: a sentence when there is none.
    func flags(matching filter: String) throws(CommandFailure) -> [FlagFacts] {
        let places = board.places(matching: filter)
        guard !places.isEmpty else {
            throw CommandFailure(.noMatch, "No flag matches the filter. Nothing was changed.")
        }
        return places.map(board.facts(at:))
    }

    private func unknownKey(_ key: String) -> CommandFailure {
        CommandFailure(.noMatch, board.sentence(onUnknown: key))
    }
}
