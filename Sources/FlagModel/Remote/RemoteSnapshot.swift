/// The merged documents of all sources at one moment: for each key, the first document with a value wins.
public struct RemoteSnapshot: Sendable {
    /// All flags: categories of the same name are merged, and keys without a catalog are in `Other`.
    public let catalog: Catalog
    /// The remote values.
    public let values: ValueTable
    /// The values compiled into the app.
    public let defaults: ValueTable
    /// The flags that code declares.
    public let declared: DeclaredFlags
    /// Where code, the catalog and the sources disagree about the type or the default of a declared flag: sentences by
    /// key.
    public let mismatches: FlagTable<[String]>
    /// The parts that were left out of the documents, and why, in order.
    public let issues: [DocumentIssue]
    /// Whether any source has a document, so that it is known which flags exist.
    public let hasDocuments: Bool
    private let documents: [RemoteDocument]
    /// The index of each document's source among all sources.
    private let places: [Int]

    /// Merges documents, highest precedence first, and the values compiled into the app.
    ///
    /// Flags that code declares are listed, too, if no catalog lists them.
    ///
    /// - Parameters:
    ///   - places: the index of each document's source among all sources, as some sources may have no document; by
    ///     default, the documents' indices.
    ///   - defaults: values that win over the defaults in code.
    ///   - defaultsIssues: the parts that were left out of the documents of defaults.
    ///   - declared: the flags that code declares.
    public init(
        documents: [RemoteDocument], places: [Int]? = nil, defaults storedDefaults: ValueTable = ValueTable(),
        defaultsIssues: [DocumentIssue] = [], declared: DeclaredFlags = DeclaredFlags()
    ) {
        let defaults = declared.isEmpty ? storedDefaults : ValueTable.joined([storedDefaults, declared.defaults])
        self.places = places ?? Array(documents.indices)
        self.documents = documents
        hasDocuments = documents.contains { $0.kind != .announced }
        let values = ValueTable.joined(documents.map(\.values))
        self.values = values
        issues = documents.flatMap(\.issues) + defaultsIssues
        (self.defaults, self.declared) = (defaults, declared)
        let parameterCatalogs = documents.compactMap(\.parameters)
        // A catalog of `config_categories` describes flags of every source, so it precedes catalogs that were made from
        // flags.
        let sortedDocuments = documents.filter(\.isCatalogWritten) + documents.filter { !$0.isCatalogWritten }
        let documentCatalogs = sortedDocuments.compactMap(\.catalog)
        var catalog = CatalogJoin.join(documentCatalogs + (declared.isEmpty ? [] : [declared.catalog])) { catalog in
            let keys = [values.keys, defaults.keys, values.unsetKeys + defaults.unsetKeys]
            return keys.flatMap { Self.keys($0, missingIn: catalog) }.map { key in
                parameterCatalogs.lazy.compactMap { $0.item(key) }.first ?? FlagItem(key: key)
            }
        }
        catalog.complete(by: declared.flags)
        self.catalog = catalog
        let allCatalogs = documentCatalogs + parameterCatalogs
        mismatches = declared.flags.reduce(into: [:]) { mismatches, flag in
            let key = FlagText(flag.key)
            let sentences = DeclarationMismatches(
                declarations: declared.declarations(of: flag.key),
                item: allCatalogs.lazy.compactMap { $0.item(key) }.first,
                remote: values[key], storedDefault: storedDefaults[key]
            ).sentences
            if !sentences.isEmpty { mismatches[flag.key] = sentences }
        }
    }

    /// Whether a flag is declared in code, but no source has it; `false` without sources.
    public func isMissingRemotely(_ key: FlagText) -> Bool {
        hasDocuments && values[key] == nil && declared.contains(key.string)
    }

    /// Whether the catalog lists a flag that no code declares; `false` if no app has declared its flags.
    public func isUndeclared(_ key: FlagText) -> Bool {
        !declared.isEmpty && catalog.index(of: key) != nil && !declared.contains(key.string)
    }

    /// The keys that are not in a catalog. Documents mostly list values in the order of the catalog, so each
    /// key is first compared with the next item. Searching for every key would take most of the time of a merge of
    /// 100,000 flags.
    private static func keys(_ keys: [FlagText], missingIn catalog: Catalog) -> [FlagText] {
        var next = 0
        return keys.filter { key in
            let isNext = next < catalog.items.count && catalog.items[next].key == key
            guard let index = isNext ? next : catalog.index(of: key) else { return key != RemoteDocument.catalogText }
            next = index + 1
            return false
        }
    }

    /// A snapshot without sources.
    public static let empty = RemoteSnapshot(documents: [])

    /// The index of the document whose value of the key is in use; `nil` if no document has one.
    public func source(of key: FlagText) -> Int? { documents.firstIndex { $0.values[key] != nil } }

    /// The index of each source with a value for a key, and that value. The first value is in use.
    public func holders(of key: FlagText) -> [(place: Int, value: FlagText)] {
        zip(places, documents).compactMap { place, document in document.values[key].map { (place, $0) } }
    }

    /// The name of the source whose value of a key is in use; `nil` if no source has one, or the source has no name.
    ///
    /// - Parameter names: the name of each source, by its place among all sources.
    public func sourceName(of key: FlagText, among names: [String?]) -> String? {
        source(of: key).flatMap { names.indices.contains(places[$0]) ? names[places[$0]] : nil }
    }

    /// Why a key has its remote value; `nil` if its source gives no reason. For a key without a remote value, the note
    /// of the first source with a note, such as why that source leaves the value to the app.
    public func note(of key: FlagText) -> FlagText? { reason(of: key) { $0.notes } }

    /// The conditions that a key has values for, in order of evaluation, from the same source as ``note(of:)``.
    public func conditions(of key: FlagText) -> [ConditionStep] {
        guard let conditions = reason(of: key, { $0.conditionsByKey }) else { return [] }
        return ConditionStep.steps(conditions)
    }

    private func reason<Value>(of key: FlagText, _ reasons: (RemoteDocument) -> [FlagText: Value]) -> Value? {
        guard documents.contains(where: { !reasons($0).isEmpty }) else { return nil }
        guard let index = source(of: key) else { return documents.compactMap { reasons($0)[key] }.first }
        return reasons(documents[index])[key]
    }

    /// The type of a flag: from the catalog, else the remote document, else inferred from the options or the value.
    public func type(of item: FlagItem) -> FlagType {
        if let type = item.declaredType ?? values.types[item.key] ?? defaults.types[item.key] { return type }
        return item.typeWithoutValue ?? item.inferredType(value: values[item.key] ?? defaults[item.key])
    }

    /// The type of a key, in the catalog or not.
    public func type(of key: FlagText) -> FlagType {
        type(of: catalog.index(of: key).map { catalog.items[$0] } ?? FlagItem(key: key))
    }
}
