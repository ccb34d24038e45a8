package import FlagModel

extension RemoteDocument {
    /// Reads a document of any kind that a file or a web server may have: keys and values, a catalog, a template of
    /// Firebase Remote Config, or flags as another tool defines them.
    ///
    /// - Throws: where it stops being JSON, or the name of a format that is not read.
    package init(ofAnyFormat bytes: [UInt8]) throws(DocumentError) {
        let document = try JSONDocument(document: bytes)
        if FirebaseTemplate.isTemplate(document.root) {
            self.init(try FirebaseTemplate(document).flags(), kind: .template)
        } else if document.root.kind == .object, let format = ForeignFormat(of: document.root) {
            guard let read = format.read else { throw format.refusal }
            self.init(read(document.root), kind: .definitions)
        } else {
            try self.init(document)
        }
    }
}
