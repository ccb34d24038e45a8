/// The value of the key `config_categories`: an array, or a string that contains one.
struct CatalogText {
    private(set) var catalog: Catalog?
    /// Why the value is not a catalog; `nil` if it is a catalog, or if there is no value.
    private(set) var issue: DocumentIssue?

    init(catalog: Catalog? = nil) { self.catalog = catalog }

    init(_ value: JSONValue) {
        switch value.kind {
        case .null: break
        case .array: catalog = CatalogReader.catalog(value, part: nil)
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
        do throws(JSONError) {
            let inner = try JSONDocument(parsing: text)
            if inner.root.kind == .array {
                catalog = CatalogReader.catalog(inner.root, part: RemoteDocument.catalogKey)
            } else {
                issue = DocumentIssue(
                    part: RemoteDocument.catalogKey, sentence: Self.shapeSentence(inner.root.kindWords))
            }
        } catch {
            issue = DocumentIssue(
                part: RemoteDocument.catalogKey, line: error.line, column: error.column, sentence: error.issue)
        }
    }

    private static func shapeSentence(_ kindWords: String) -> String {
        "the catalog is \(kindWords); expected an array of categories"
    }
}
