/// The catalog in the string of `config_categories`, read in place before anybody knows that it is one.
///
/// In large documents that string is nearly everything. So one thread may read the document with its values while
/// another looks for the string and reads the catalog in it. Whether it was the right string shows when both are done:
/// the document has one in exactly this place, or this guess is dropped.
struct QuotedCatalog: Sendable {
    private let catalog: Catalog
    private let range: Range<Int>

    /// `nil` where there is no such string, or one that has to be decoded first, or a catalog with anything to
    /// complain of: places in messages are those in the decoded text.
    init?(in text: TextBytes, _ workers: Workers = .none) {
        let start = text.bytes.withUnsafeBufferPointer {
            QuotedJSON.start(ofValueFor: RemoteDocument.catalogWord, in: $0)
        }
        guard let start, let quoted = QuotedJSON(in: text, at: start, workers) else { return nil }
        let root = quoted.document.root
        guard root.kind == .array else { return nil }
        catalog = CatalogReader.catalog(in: quoted.document, root: root, part: RemoteDocument.catalogKey, workers)
        guard catalog.problems.isEmpty else { return nil }
        range = quoted.range
    }

    /// The catalog, if it stands in `text`, the string of the document's own member.
    func catalog(of text: FlagText) -> Catalog? { text.sourceRange == range ? catalog : nil }
}
