package import FlagModel

extension RemoteDocument {
    /// Decodes a document from a file or a web server: keys and values, a catalog, a template of Firebase Remote
    /// Config, or flag definitions of another tool.
    ///
    /// - Throws: the JSON error, or the name of a format that is not supported.
    package init(ofAnyFormat bytes: [UInt8]) throws(DocumentError) {
        let document = try JSONDocument(document: bytes)
        if FirebaseTemplate.isTemplate(document.root) {
            self.init(try FirebaseTemplate(document).flags(), kind: .template)
        } else if document.root.isContainer, let format = ForeignFormat(of: document.root) {
            guard let read = format.read else { throw format.rejection }
            self.init(read(document.root), kind: .definitions)
        } else {
            try self.init(document)
        }
    }
}
