/// What one source sent: the values of flags, their types, and the catalog, which is the list for the menu, if it has
/// one.
public struct RemoteDocument: Sendable {
    /// The form of a document, such as plain values or a Firebase template, detected by its content.
    public enum Kind: Sendable, Hashable {
        /// An object of keys and values.
        case values
        /// Parameters with values by condition.
        case template
        /// An array of categories without values.
        case catalogOnly
        /// Flags that a service has evaluated.
        case evaluated
        /// Values compiled into an app. The values of every source win over them.
        case defaults
        /// Flags defined in the file of another tool.
        case definitions
        /// Remote values that a running app announces. They do not say which flags exist.
        case announced
    }

    /// The key that has the catalog as its value, and is not a flag itself.
    public static let catalogKey = "config_categories"
    static let catalogText = FlagText(catalogKey)

    /// The kind of document.
    public let kind: Kind
    /// The catalog, from `config_categories` or from a template's groups; `nil` if there is none or it is malformed.
    public internal(set) var catalog: Catalog?
    /// The values, as the texts that apps read.
    public private(set) var values: ValueTable
    /// The types of flags by key. A flag is missing if the document does not say its type.
    public var types: [FlagText: FlagType] { values.types }
    /// Why flags have their values, in a few words, by key. A flag is missing if the source gives no reason.
    public private(set) var notes: [FlagText: FlagText] = [:]
    /// All conditions of the document, in order of precedence.
    package private(set) var conditions: [RemoteCondition] = []
    /// Whether the values depend on an evaluation context; `nil` if unknown.
    public private(set) var dependsOnContext: Bool?
    /// The conditions that a flag has values for, in order of evaluation, by key.
    private(set) var conditionsByKey: [FlagText: [RemoteCondition]] = [:]
    /// The parts of the document that were left out, and why.
    public internal(set) var issues: [DocumentIssue]
    /// Whether `config_categories` is malformed; ``keepingCatalog(of:)`` then uses an older catalog.
    public internal(set) var isCatalogMalformed: Bool
    /// Whether the catalog was read from `config_categories`, rather than made from the document's flags.
    private(set) var isCatalogWritten: Bool
    /// The overrides of a team, with their authors and times; empty for other documents.
    public private(set) var overrides: FlagTable<FlagOverride> = [:]
    /// The document's flags by group, to describe flags that are missing in `catalog`.
    let parameters: Catalog?

    /// Parses an object of keys and values, or an array of categories.
    public init(parsing bytes: [UInt8]) throws(DocumentError) {
        try self.init(JSONDocument(document: bytes))
    }

    /// Decodes an object of keys and values, or an array of categories.
    package init(_ document: JSONDocument) throws(DocumentError) {
        switch document.root.kind {
        case .object: self.init(valuesIn: document)
        case .array:
            let catalog = CatalogReader.catalog(document.root, part: nil)
            self.init(kind: .catalogOnly, values: ValueTable(), inner: CatalogText(catalog: catalog))
        case .null, .bool, .number, .string:
            throw .unknownShape("the document is \(document.root.kindWords); expected an object or an array")
        }
    }

    private init(valuesIn document: JSONDocument) {
        var values = ValueTable(minimumCapacity: document.root.count)
        var inner = CatalogText()
        var log = IssueLog(document, part: nil)
        document.root.forEachMember { key, value in
            if key == Self.catalogText {
                inner = CatalogText(value)
            } else if let text = value.flagText {
                values[key] = text
                guard let type = value.flagType else { return }
                values.types[key] = type
                if type == .double, FlagReading.isOutOfRange(value.source) {
                    log.add(key.sentence(onOutOfRange: value.source), at: value)
                }
            } else {
                values.unsetKeys.append(key)
            }
        }
        self.init(kind: .values, values: values, inner: inner)
        issues += log.issues
    }

    /// The flags that a service has evaluated. These flags are also the catalog, unless one of them is
    /// `config_categories`.
    public init(_ flags: EvaluatedFlags) { self.init(flags, kind: .evaluated) }

    /// The flags of a document that was decoded flag by flag.
    package init(_ flags: EvaluatedFlags, kind: Kind) {
        self.init(
            kind: kind, values: flags.values, issues: flags.log.issues, parameters: flags.sections.catalog,
            inner: flags.catalogText.map { CatalogText(text: $0) } ?? CatalogText())
        (notes, conditions, dependsOnContext) = (flags.notes, flags.conditions, flags.dependsOnContext)
        let conditionsByName = Dictionary(conditions.map { ($0.name, $0) }) { first, _ in first }
        conditionsByKey = flags.chains.mapValues { names in names.compactMap { conditionsByName[$0] } }
    }

    /// Values compiled into an app, with the issues of what was left out.
    public init(defaults: ValueTable, issues: [DocumentIssue] = []) {
        self.init(kind: .defaults, values: defaults, issues: issues)
    }

    /// Remote values that a running app announces.
    package init(announced values: ValueTable) {
        self.init(kind: .announced, values: values)
    }

    /// Overrides that a team shares, with the issues of what was left out.
    public init(overrides: FlagTable<FlagOverride>, issues: [DocumentIssue] = []) {
        let values = overrides.map { (key: FlagText($0.key), value: FlagText($0.value.value)) }
        self.init(kind: .values, values: ValueTable(values), issues: issues)
        self.overrides = overrides
    }

    private init(
        kind: Kind, values: ValueTable, issues: [DocumentIssue] = [], parameters: Catalog? = nil,
        inner: CatalogText = CatalogText()
    ) {
        (self.kind, self.values, self.parameters) = (kind, values, parameters)
        isCatalogMalformed = inner.issue != nil
        isCatalogWritten = inner.catalog != nil
        catalog = inner.catalog ?? (isCatalogMalformed ? nil : parameters)
        self.issues = issues
        if let issue = inner.issue { self.issues.append(issue) }
        if let catalog = inner.catalog { self.issues += catalog.issues }
    }

    /// Records an issue at a value of the document.
    package mutating func warn(_ sentence: String, at value: JSONValue) {
        let place = value.position
        issues.append(DocumentIssue(line: place.line, column: place.column, sentence: sentence))
    }

    /// This document, with the catalog of `lastGood` if the catalog of this document is malformed.
    public func keepingCatalog(of lastGood: RemoteDocument) -> RemoteDocument {
        guard isCatalogMalformed, let catalog = lastGood.catalog else { return self }
        var result = self
        (result.catalog, result.isCatalogWritten) = (catalog, lastGood.isCatalogWritten)
        return result
    }
}
