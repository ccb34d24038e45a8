package import FlagModel

extension RemoteDocument {
    /// Decodes a document from a file or a web server: keys and values, a catalog, a template of Firebase Remote
    /// Config, or flag definitions of another tool.
    ///
    /// - Throws: the JSON error, or the name of the format and what to do.
    package init(ofAnyFormat bytes: [UInt8]) throws(DocumentError) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw DocumentError.malformed(error).explained(by: bytes)
        }
        let root = document.root
        guard root.isContainer, let format = KnownFormat(of: root) else {
            if root.kind == .array { throw Self.rejection(ofArray: root) }
            try self.init(document)
            // The members of another object may be the flags that the user looks for.
            for name in SimpleFlags.wrappers {
                guard let flags = root.member(name), flags.count > 0 else { continue }
                warn("\"\(name)\" is listed as one flag, as its content has no known format", at: flags)
            }
            return
        }
        switch format.handling {
        case .flags(let read): self.init(read(root), kind: .definitions)
        case .template: self.init(try FirebaseTemplate(document).flags(), kind: .template)
        case .catalog: try self.init(document)
        case .rejected(let remedy): throw .unknownShape("the document is \(format.name)\(remedy)")
        }
    }

    private static func rejection(ofArray root: JSONValue) -> DocumentError {
        let name = root.elements.first { _ in true }.flatMap(KnownFormat.init)?.name
        return .unknownShape(
            name.map { "the document is an array with \($0) in it; save that document alone" }
                ?? "the document is an array, and its elements are not categories of a catalog; "
                + "save a JSON object of keys and values")
    }
}
