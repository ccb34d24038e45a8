/// The value of the key `config_categories`: an array, or a string that contains one.
struct CatalogText {
    private(set) var catalog: Catalog?
    /// Why the value is not a catalog; `nil` if it is a catalog, or if there is no value.
    private(set) var issue: DocumentIssue?
    /// Whether the string was decoded, so that the catalog's texts are not slices of the document.
    private(set) var isDecoded = false

    init(catalog: Catalog? = nil) { self.catalog = catalog }

    init(_ value: JSONValue, in document: JSONDocument) {
        switch value.kind {
        case .null: break
        case .array: catalog = CatalogReader.catalog(in: document, root: value, part: nil)
        case .string:
            if let text = value.text { read(text) }
        case .bool, .number, .object:
            let place = value.position
            issue = DocumentIssue(
                line: place.line, column: place.column, sentence: Self.shapeSentence(value.kindWords))
        }
    }

    init(text: FlagText) { read(text) }

    private mutating func read(_ text: FlagText) {
        guard !text.isEmpty else { return }
        catalog = Self.quotedCatalog(in: text)
        guard catalog == nil else { return }
        isDecoded = text.hasEscapes
        do throws(JSONError) {
            let inner = try JSONDocument(parsing: text)
            if inner.root.kind == .array {
                catalog = CatalogReader.catalog(in: inner, root: inner.root, part: RemoteDocument.catalogKey)
            } else {
                issue = DocumentIssue(
                    part: RemoteDocument.catalogKey, sentence: Self.shapeSentence(inner.root.kindWords))
            }
        } catch {
            issue = DocumentIssue(
                part: RemoteDocument.catalogKey, line: error.line, column: error.column, sentence: error.issue)
        }
    }

    /// The catalog of a text with escapes, parsed without decoding the text. `nil` if there is any issue, as messages
    /// need places in the decoded text.
    private static func quotedCatalog(in text: FlagText) -> Catalog? {
        guard text.hasEscapes, let document = JSONDocument(quotedIn: text), document.root.kind == .array else {
            return nil
        }
        let catalog = CatalogReader.catalog(in: document, root: document.root, part: RemoteDocument.catalogKey)
        return catalog.issues.isEmpty ? catalog : nil
    }

    private static func shapeSentence(_ kindWords: String) -> String {
        "the catalog is \(kindWords); expected an array of categories"
    }
}
