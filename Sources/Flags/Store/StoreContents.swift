package import FlagModel
package import FlagRemote
package import FlagStorage

/// Everything that a store knows at one moment. A change replaces it as a whole; see
/// ``FlagStore/replaceContents(_:_:)``.
package struct StoreContents: Sendable {
    /// The number of changes so far.
    package internal(set) var revision = 0
    /// The values of every layer.
    package private(set) var values: LayerValues
    /// The override file as it was last read or written; `nil` without a file.
    package private(set) var overrideFile: StoreReading?
    /// Why changes of other processes are not watched; `nil` if they are.
    package internal(set) var watchError: String?
    /// The remote values, the state of their sources, and the flags that code declares.
    package private(set) var remote: RemoteReading
    /// The team's values; empty without a team.
    package private(set) var team = TeamReading()
    /// The remote values as the app reads them: without the flags that code declares.
    private(set) var documents: RemoteSnapshot
    /// Remote values that the app set itself; `nil` if there are none.
    private var pushed: RemoteDocument?
    /// The time at which the app set remote values for its next launch; `nil` if it did not.
    private var waitingSince: FlagTimestamp?
    /// The defaults that the store was opened with; remote values win over them.
    private let storeDefaults: ValueTable

    init(_ values: LayerValues) {
        self.values = values
        storeDefaults = values.defaults
        documents = RemoteSnapshot(documents: [], defaults: storeDefaults)
        remote = RemoteReading(snapshot: documents)
    }

    /// The tester's changes of contexts and conditions, by the names of sources.
    package var contexts: FlagTable<ContextOverride> { overrideFile?.table.contexts ?? [:] }

    /// The contents with further launch values, for the readers of one task. Their revision is none of the store, whose
    /// slots have other values.
    func adding(launch values: FlagTable<FlagOverride>) -> StoreContents {
        var contents = self
        contents.revision = -1
        contents.values[.launch].overrides.merge(values) { _, new in new }
        return contents
    }

    /// The values of layers that a menu does not read itself, such as launch values and team values.
    package var menuLayers: LayerValues {
        var values = values
        for layer in FlagLayer.allCases where layer.isInEverySetup { values[layer] = LayerContent() }
        return values
    }

    /// The keys of launch values that nothing else knows, a sentence each. Empty without a catalog, as then most keys are
    /// known only once the code reads them.
    var unknownLaunchKeys: [String] {
        guard !documents.catalog.items.isEmpty else { return [] }
        let known = Set(FlagRegistry.declarations.map { FlagText($0.name) })
        let others = FlagLayer.allCases.filter { $0 != .launch }
        return values[.launch].keys.filter { key in
            !known.contains(key) && documents.catalog.item(key.string) == nil
                && others.allSatisfy { values[$0].value(of: key) == nil }
        }.sorted().map { key in
            let hint = NearestKeys.suggestion(about: key.string, among: documents.catalog.items.map(\.key.string))
            return "The launch value \(key.quoted) is for no known flag.\(hint)"
        }
    }

    /// The status of the remote values: the status of the sources, or `loaded` if the sources are idle and the app set
    /// values.
    var remoteStatus: RemoteStatus {
        let status = remote.sources.status
        guard status == .idle, let pushedAt = waitingSince ?? remote.pushedAt else { return status }
        return .loaded(at: pushedAt)
    }
}

// Changes. Each returns the layers whose values may differ.
extension StoreContents {
    /// Replaces the state of the sources.
    mutating func receive(_ sources: RemoteState) -> [FlagLayer] {
        let isFirst = remote.sources.sources.isEmpty
        let mayDiffer = isFirst || sources.activations != remote.sources.activations
        remote.sources = sources
        return mayDiffer ? join() : []
    }

    /// Replaces the remote values that the app sets itself. If their catalog is malformed, the last good catalog stays
    /// in use.
    mutating func push(_ document: RemoteDocument, at time: FlagTimestamp) -> [FlagLayer] {
        pushed = pushed.map { document.keepingCatalog(of: $0) } ?? document
        remote.pushedAt = time
        return join()
    }

    /// Records that the app set remote values for its next launch. They change no value in use.
    mutating func pushWaiting(at time: FlagTimestamp) -> [FlagLayer] {
        waitingSince = time
        return []
    }

    /// Replaces the flags that code declares. They change no value that the app reads.
    mutating func list(_ declared: DeclaredFlags) -> [FlagLayer] {
        publishRemote(declared)
        return []
    }

    /// Replaces the team's values.
    ///
    /// - Parameter isUsed: whether they count now.
    mutating func receiveTeam(_ update: RemoteUpdate, isUsed: Bool) -> [FlagLayer] {
        team.receive(update)
        guard isUsed, values[.team].overrides != team.overrides else { return [] }
        values[.team].overrides = team.overrides
        return [.team]
    }

    /// Replaces the overrides with those in the override file.
    mutating func receive(_ file: StoreReading) -> [FlagLayer] {
        overrideFile = file
        return replaceOverrides(file.table.overrides)
    }

    mutating func replaceOverrides(_ overrides: FlagTable<FlagOverride>) -> [FlagLayer] {
        guard values.overrides != overrides else { return [] }
        values.overrides = overrides
        return [.override]
    }

    /// Uses launch values and the team's values, which only testers have.
    mutating func open(launch: LayerContent) -> [FlagLayer] {
        values[.launch] = launch
        values[.team].overrides = team.overrides
        return [.launch, .team]
    }

    /// Removes the values that only testers have.
    mutating func close() -> [FlagLayer] {
        for layer in FlagLayer.aboveRemote { values[layer] = LayerContent() }
        overrideFile = nil
        return FlagLayer.aboveRemote
    }

    private mutating func join() -> [FlagLayer] {
        documents = remote.sources.snapshot(defaults: storeDefaults, pushed: pushed)
        values[.remote].table = documents.values
        values[.default].table = documents.defaults
        publishRemote(remote.snapshot.declared)
        return [.remote, .default]
    }

    private mutating func publishRemote(_ declared: DeclaredFlags) {
        remote.snapshot =
            declared.isEmpty
            ? documents : remote.sources.snapshot(defaults: storeDefaults, pushed: pushed, declared: declared)
    }
}

// Effective values.
extension StoreContents {
    /// The effective text of a key and its layer, read by `declaration`; by default, by the first declaration of the
    /// key.
    func outcome(of key: String, read declaration: (any AnyFlagDeclaration)? = nil) -> FlagOutcome {
        if let declaration = declaration ?? FlagRegistry.declaration(of: key) {
            return declaration.outcome(in: values)
        }
        let explanation = values.resolve(FlagText(key), type: documents.type(of: FlagText(key)))
        let text = explanation.value?.string
        let bool = explanation.type == .bool ? text.flatMap(FlagReading.bool) : nil
        return FlagOutcome(value: bool.map(String.init) ?? text, text: text, layer: explanation.winner)
    }
}

// Differences.
extension StoreContents {
    /// Whether the value of a key may differ from older contents, if only `layers` have changed.
    func mayDiffer(_ key: FlagText, from old: StoreContents, in layers: [FlagLayer]) -> Bool {
        func hasChanged(_ layer: FlagLayer) -> Bool {
            values[layer].value(of: key) != old.values[layer].value(of: key)
        }
        if layers.contains(where: hasChanged) { return true }
        // If a type changes, texts in the layers above remote may become valid or invalid.
        return layers.contains(.remote) && FlagLayer.aboveRemote.contains { values[$0].value(of: key) != nil }
            && old.documents.type(of: key) != documents.type(of: key)
    }
}

/// Contents that are not copied: a snapshot shares those of its store.
final class SharedContents: Sendable {
    let value: StoreContents

    init(_ value: StoreContents) { self.value = value }
}

/// The remote values and the state of their sources, for menus, servers and commands.
package struct RemoteReading: Sendable {
    /// The values in use, with the flags that code declares, so that these can be overridden even if no source has
    /// them.
    package fileprivate(set) var snapshot: RemoteSnapshot
    /// The state of each source.
    package fileprivate(set) var sources = RemoteState()
    /// The time at which the app set remote values itself; `nil` if it did not.
    fileprivate(set) var pushedAt: FlagTimestamp?

    /// The time at which the oldest values in use were fetched or set; `nil` if there are none.
    package var fetchedAt: FlagTimestamp? { [sources.fetchedAt, pushedAt].compactMap { $0 }.min() }

    /// The values that activating would change; empty if no fetched values wait.
    package var differences: [ValueDifference] {
        guard sources.isWaiting else { return [] }
        return ValueDifference.between(sources.snapshot().values, sources.activated.snapshot().values)
    }

    /// The values that activating would change; empty if it would only change the catalog, `nil` if it would change
    /// nothing.
    package var waiting: [ValueDifference]? { sources.hasUpdate ? differences : nil }
}
