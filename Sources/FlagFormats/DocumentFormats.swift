package import FlagModel

extension RemoteDocument {
    /// Decodes a document of any kind in a file or on a web server: keys and values, a catalog, a template of Firebase
    /// Remote Config, or flags defined for another tool.
    ///
    /// - Throws: the place of the JSON error, or the name of a format that is not supported.
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
