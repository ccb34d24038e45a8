/// The value of the key `config_categories`: an array, or a string that contains one.
struct CatalogText {
    private(set) var catalog: Catalog?
    /// Why the value is not a catalog; `nil` if it is a catalog, or if there is no value.
    private(set) var issue: DocumentIssue?

    init(catalog: Catalog? = nil) { self.catalog = catalog }

    init(_ value: JSONValue) {
        if let text = value.text { read(text) } else if value.kind != .null { read(value, part: nil) }
    }

    init(text: FlagText) { read(text) }

    private mutating func read(_ text: FlagText) {
        guard !text.isEmpty else { return }
        let part = RemoteDocument.catalogKey
        do throws(JSONError) {
            read(try JSONDocument(parsing: text).root, part: part)
        } catch {
            issue = DocumentIssue(part: part, line: error.line, column: error.column, sentence: error.issue)
        }
    }

    private mutating func read(_ root: JSONValue, part: String?) {
        guard root.kind != .array else { return catalog = CatalogReader.catalog(root, part: part) }
        let place = part == nil ? root.position : nil
        issue = DocumentIssue(
            part: part, line: place?.line, column: place?.column,
            sentence: "the catalog is \(root.kindWords); expected an array of categories")
    }
}
