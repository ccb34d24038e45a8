/// The value of the key `config_categories`: an array, or a string that contains one.
struct CatalogText {
    private(set) var catalog: Catalog?
    /// Why there is no catalog although there is a value.
    private(set) var problem: DocumentProblem?
    /// Whether the text had escapes, so that the catalog is in separate bytes.
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
            problem = DocumentProblem(
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
                problem = DocumentProblem(
                    part: RemoteDocument.catalogKey, sentence: Self.shapeSentence(inner.root.kindWords))
            }
        } catch {
            problem = DocumentProblem(
                part: RemoteDocument.catalogKey, line: error.line, column: error.column, sentence: error.problem)
        }
    }

    /// The catalog of a text with escapes, parsed in place; `nil` for one with any problem: places in messages are in
    /// the decoded text.
    private static func quotedCatalog(in text: FlagText) -> Catalog? {
        guard text.hasEscapes, let document = JSONDocument(quotedIn: text), document.root.kind == .array else {
            return nil
        }
        let catalog = CatalogReader.catalog(in: document, root: document.root, part: RemoteDocument.catalogKey)
        return catalog.problems.isEmpty ? catalog : nil
    }

    private static func shapeSentence(_ found: String) -> String {
        "the catalog is \(found); expected an array of categories"
    }
}
