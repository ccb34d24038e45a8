/// What one remote source says: values, types, and the catalog where it has one.
public struct RemoteDocument: Sendable {
    /// The kinds of documents, told apart by what they hold.
    public enum Kind: Sendable, Hashable {
        /// An object of keys and values.
        case values
        /// A template of Firebase Remote Config, as its command line tool writes it.
        case firebaseTemplate
        /// An array of categories without values.
        case catalogOnly
    }

    /// The key that holds the catalog; it is no flag itself.
    public static let catalogKey = "config_categories"

    /// What kind of document it was.
    public let kind: Kind
    /// The catalog, from `config_categories` or from a template's groups; `nil` where there is none or it is malformed.
    public internal(set) var catalog: Catalog?
    /// The values, each as the text that apps read.
    public let values: ValueTable
    /// The types that the document itself gives to its keys.
    public let types: [FlagText: FlagType]
    /// What was left out.
    public internal(set) var problems: [DocumentProblem]
    /// Whether there is a `config_categories` that could not be read, so that an older catalog is better than none.
    public internal(set) var isCatalogMalformed: Bool
    /// A template's parameters by group: it describes keys that a catalog of its own does not name.
    let parameters: Catalog?

    /// Reads a document of any kind.
    public init(parsing bytes: [UInt8]) throws(DocumentError) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw .malformed(error)
        }
        switch document.root.kind {
        case .array: self.init(catalogIn: document)
        case .object where TemplateReader.isTemplate(document.root): self.init(templateIn: document)
        case .object: self.init(valuesIn: document)
        default:
            throw .unknownShape("the document is \(document.root.kindWords); expected an object or an array")
        }
    }

    private init(catalogIn document: JSONDocument) {
        let catalog = CatalogReader.catalog(in: document, root: document.root, part: nil)
        self.init(
            kind: .catalogOnly, values: ValueTable(), types: [:], problems: [], parameters: nil,
            inner: CatalogText(catalog: catalog))
    }

    private init(templateIn document: JSONDocument) {
        let template = TemplateReader.template(in: document)
        self.init(
            kind: .firebaseTemplate, values: template.values, types: template.types, problems: template.problems,
            parameters: template.catalog, inner: template.catalogText)
    }

    private init(valuesIn document: JSONDocument) {
        var values = ValueTable(minimumCapacity: document.root.count)
        var types: [FlagText: FlagType] = [:]
        var inner = CatalogText()
        for (key, value) in document.root.members {
            if key.isWord("config_categories") {
                inner = CatalogText(value, in: document)
            } else if let text = value.flagText {
                values.append(text, for: key, hash: key.keyHash)
                if let type = value.flagType { types[key] = type }
            }
        }
        // The catalog was decoded into bytes of its own. Without this the values, often a tenth of the document, would
        // keep all of it in memory.
        if inner.isDecoded {
            values = values.repacked()
            types = Dictionary(uniqueKeysWithValues: types.map { (FlagText(bytes: $0.decodedBytes), $1) })
        }
        self.init(kind: .values, values: values, types: types, problems: [], parameters: nil, inner: inner)
    }

    private init(
        kind: Kind, values: ValueTable, types: [FlagText: FlagType], problems: [DocumentProblem],
        parameters: Catalog?, inner: CatalogText
    ) {
        self.kind = kind
        self.values = values
        self.types = types
        self.parameters = parameters
        isCatalogMalformed = inner.problem != nil
        catalog = inner.catalog ?? (isCatalogMalformed ? nil : parameters)
        self.problems = problems + [inner.problem].compactMap { $0 } + (inner.catalog?.problems ?? [])
    }

    /// The same values with the catalog of an older copy, where this one's is malformed.
    public func keepingCatalog(of lastGood: RemoteDocument) -> RemoteDocument {
        guard isCatalogMalformed, let catalog = lastGood.catalog else { return self }
        var result = self
        result.catalog = catalog
        return result
    }
}

extension JSONValue {
    /// The type that a value of the document shows by its kind; a string shows none.
    fileprivate var flagType: FlagType? {
        switch kind {
        case .bool: .bool
        case .number: FlagReading.int(source) == nil ? .double : .int
        case .array, .object: .json
        case .string, .null: nil
        }
    }
}
