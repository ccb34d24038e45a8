/// The value of the key `config_categories`: an array, or a string that holds one.
struct CatalogText {
    private(set) var catalog: Catalog?
    /// Why there is no catalog although there is a value.
    private(set) var problem: DocumentProblem?
    /// Whether the text had escapes, so that the catalog stands in bytes of its own.
    private(set) var isDecoded = false

    init(catalog: Catalog? = nil) { self.catalog = catalog }

    /// - Parameter quoted: a catalog that may have been read from this value already.
    init(_ value: JSONValue, in document: JSONDocument, _ quoted: QuotedCatalog? = nil) {
        switch value.kind {
        case .null: break
        case .array: catalog = CatalogReader.catalog(in: document, root: value, part: nil)
        case .string:
            guard let text = value.text else { return }
            catalog = quoted?.catalog(of: text)
            if catalog == nil { read(text) }
        case .bool, .number, .object:
            let place = value.position
            problem = DocumentProblem(
                line: place.line, column: place.column, sentence: Self.shapeSentence(value.kindWords))
        }
    }

    init(text: FlagText) { read(text) }

    private mutating func read(_ text: FlagText) {
        guard !text.isEmpty else { return }
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

    private static func shapeSentence(_ found: String) -> String {
        "the catalog is \(found); expected an array of categories"
    }
}
