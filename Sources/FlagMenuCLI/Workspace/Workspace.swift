import DeveloperMenu
import FlagModel
import FlagRemote
import FlagStorage
import Flags

/// What a command works on: settings, remote values, overrides, and the flags that come of them.
struct Workspace {
    let run: RunStore
    let reading: StoreReading
    let remote: RemoteReading
    private(set) var board: FlagBoard

    var settings: Settings { run.settings }
    var store: OverrideStore { run.store }

    /// Opens everything that the settings name.
    ///
    /// - Parameters:
    ///   - scope: which services are requested for that.
    ///   - isAsking: whether the user is asked on a terminal to allow what the project file does with credentials.
    /// - Throws: a sentence when no source can be read and no last good values are cached.
    static func open(
        _ settings: Settings, requesting scope: FetchScope = .unknown, isAsking: Bool = true
    ) throws(CommandFailure) -> Workspace {
        let run = try RunStore(settings, isAsking: isAsking)
        run.flags.openRemote()
        run.fetch(scope)
        let state = run.flags.remote.current
        do throws(CommandFailure) {
            try run.requireValues(in: state)
        } catch {
            // The backoff of services is for the next run to know. That there is nothing to work with is the error, and not
            // that this could not be cached.
            run.flags.remote.save()
            throw error
        }
        return Workspace(run)
    }

    /// What an open store says now.
    init(_ run: RunStore) {
        self.run = run
        remote = run.flags.remoteReading
        reading = run.store.read()
        board = FlagBoard(
            snapshot: remote.snapshot, launch: run.settings.launch, overrides: reading.table.overrides)
        board.today = SourceClock.system.now().date
    }

    /// What is wrong and worked around, a sentence each.
    var remarks: [String] {
        [settings.configuration.readOnlyDoubt].compactMap { $0.map { "\($0) Changes are refused until then." } }
            + (settings.project?.remarks ?? []) + remote.sources.errors(at: SourceClock.system.now()) + documentProblems
            + [reading.problem].compactMap { $0 }
    }

    /// What is wrong with connections, contexts and documents, a sentence each.
    var documentProblems: [String] {
        run.services.warnings + [remote.sources.contextError].compactMap { $0 }
            + remote.snapshot.problems.map(\.description)
    }

    /// When the values in use were fetched; `nil` for the sample, and if there are none.
    var fetchedAt: Timestamp? { settings.isSample ? nil : remote.fetchedAt }

    /// Caches what was read, when the work is done.
    func saveCache() {
        if let error = run.flags.remote.save() { StandardError.warn(error) }
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

    /// The flags that a filter matches, to be changed.
    ///
    /// - Throws: a sentence if there is none, or if the filter has an unknown word.
    func flags(matching filter: String) throws(CommandFailure) -> [FlagFacts] {
        let places = try places(matching: filter)
        guard !places.isEmpty else {
            // Which flags are overridden may be what the filter asks for.
            try requireOverrides()
            throw CommandFailure(
                .noMatch, "No flag matches \(JSONOutput.quoted(filter, limit: 80)). Nothing was changed.")
        }
        return places.map(board.facts(at:))
    }

    /// The places of the flags that a filter matches.
    ///
    /// - Throws: a sentence if the filter has an unknown word.
    func places(
        matching filter: String, order: ListOrder = .catalog, isOverriddenOnly: Bool = false
    ) throws(CommandFailure) -> [FlagBoard.Place] {
        do throws(FilterError) {
            return try board.places(matching: filter, order: order, isOverriddenOnly: isOverriddenOnly)
        } catch {
            throw CommandFailure(.usage, "--matching: \(error.description)")
        }
    }

    /// That nothing knows a key, with the nearest ones; or that nobody knows, as the overrides cannot be read.
    func unknownKey(_ key: String) -> CommandFailure {
        guard reading.areOverridesKnown else {
            return CommandFailure(
                .store, "\(JSONOutput.quoted(key, limit: 80)) may be overridden, but the overrides cannot be read.")
        }
        return CommandFailure(.noMatch, board.sentence(onUnknown: key))
    }

    /// Requires that it is known what is overridden. What is printed without it is not what holds.
    func requireOverrides() throws(CommandFailure) {
        guard !reading.areOverridesKnown else { return }
        // Among the remarks, unless nothing is to be said.
        throw CommandFailure(.store, settings.isQuiet ? reading.problem ?? "" : "")
    }
}
