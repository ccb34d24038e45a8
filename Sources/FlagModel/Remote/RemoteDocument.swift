/// The document of one remote source: values, types, and the catalog if it has one.
public struct RemoteDocument: Sendable {
    /// The kinds of documents, detected by their content.
    public enum Kind: Sendable, Hashable {
        /// An object of keys and values.
        case values
        /// Parameters with values by condition.
        case template
        /// An array of categories without values.
        case catalogOnly
        /// Flags that a service has evaluated.
        case evaluated
        /// Values compiled into an app, below those of every source.
        case defaults
        /// Flags defined in the file of another tool.
        case definitions
    }

    /// The key of the catalog; it is not a flag itself.
    public static let catalogKey = "\(catalogWord)"
    static let catalogWord: StaticString = "config_categories"

    /// The kind of document.
    public let kind: Kind
    /// The catalog, from `config_categories` or from a template's groups; `nil` if there is none or it is malformed.
    public internal(set) var catalog: Catalog?
    /// The values, as the texts that apps read.
    public private(set) var values: ValueTable
    /// The types of keys in the document.
    public let types: [FlagText: FlagType]
    /// Why keys have their values, in a few words each, if the source says so.
    public private(set) var notes: [FlagText: FlagText]
    /// The conditions of values, in order of precedence.
    public private(set) var conditions: [RemoteCondition] = []
    /// Whether the values depend on a context; `nil` if that is not known.
    public private(set) var takesContext: Bool?
    /// The conditions that a key has values for, by name, in order of evaluation.
    private(set) var chains: [FlagText: [FlagText]] = [:]
    /// What was left out.
    public internal(set) var problems: [DocumentProblem]
    /// Whether there is a malformed `config_categories`, so that an older catalog is better than none.
    public internal(set) var isCatalogMalformed: Bool
    /// Whether the catalog was written by hand, as `config_categories`; else it consists of the document's flags.
    private(set) var isCatalogWritten: Bool
    /// A template's parameters by group: it describes keys that are missing in a separate catalog.
    let parameters: Catalog?

    /// Parses an object of keys and values, or an array of categories.
    public init(parsing bytes: [UInt8]) throws(DocumentError) {
        try self.init(JSONDocument(document: bytes))
    }

    /// Decodes an object of keys and values, or an array of categories.
    package init(_ document: JSONDocument) throws(DocumentError) {
        switch document.root.kind {
        case .object: self.init(RemoteValues(of: document.root), in: document)
        case .array: self.init(catalogIn: document)
        case .null, .bool, .number, .string:
            throw .unknownShape("the document is \(document.root.kindWords); expected an object or an array")
        }
    }

    private init(catalogIn document: JSONDocument) {
        let catalog = CatalogReader.catalog(in: document, root: document.root, part: nil)
        self.init(
            kind: .catalogOnly, values: ValueTable(), types: [:], problems: [], parameters: nil,
            inner: CatalogText(catalog: catalog))
    }

    private init(_ values: RemoteValues, in document: JSONDocument) {
        let inner = values.catalog.map { CatalogText($0, in: document) } ?? CatalogText()
        // The catalog was decoded into separate bytes. Without this the values, often a tenth of the document, would
        // keep all of it in memory.
        let values = inner.isDecoded ? values.repacked() : values
        self.init(
            kind: .values, values: values.table, types: values.types, problems: [], parameters: nil, inner: inner)
    }

    /// The evaluated flags of a service. They are the catalog, unless one of them is a catalog itself.
    public init(_ flags: EvaluatedFlags) { self.init(flags, kind: .evaluated) }

    /// Flags of a document that is decoded flag by flag.
    package init(_ flags: EvaluatedFlags, kind: Kind) {
        self.init(
            kind: kind, values: flags.values, types: flags.types, problems: flags.problems,
            parameters: flags.described, inner: flags.catalogText.map { CatalogText(text: $0) } ?? CatalogText(),
            notes: flags.notes)
        (conditions, chains, takesContext) = (flags.conditions, flags.chains, flags.takesContext)
    }

    /// Values compiled into an app.
    public init(defaults: ValueTable) {
        self.init(
            kind: .defaults, values: defaults, types: [:], problems: [], parameters: nil, inner: CatalogText())
    }

    private init(
        kind: Kind, values: ValueTable, types: [FlagText: FlagType], problems: [DocumentProblem],
        parameters: Catalog?, inner: CatalogText, notes: [FlagText: FlagText] = [:]
    ) {
        self.notes = notes
        self.kind = kind
        self.values = values
        self.types = types
        self.parameters = parameters
        isCatalogMalformed = inner.problem != nil
        isCatalogWritten = inner.catalog != nil
        catalog = inner.catalog ?? (isCatalogMalformed ? nil : parameters)
        self.problems = problems
        if let problem = inner.problem { self.problems.append(problem) }
        if let catalog = inner.catalog { self.problems += catalog.problems }
    }

    /// The same values with the catalog of an older version, if this one's is malformed.
    public func keepingCatalog(of lastGood: RemoteDocument) -> RemoteDocument {
        guard isCatalogMalformed, let catalog = lastGood.catalog else { return self }
        var result = self
        (result.catalog, result.isCatalogWritten) = (catalog, lastGood.isCatalogWritten)
        return result
    }
}
