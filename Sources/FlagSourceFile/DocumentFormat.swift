import FlagFormats
package import FlagModel
import FlagRemote

/// The formats of documents in files.
package enum DocumentFormat {
    case json, xml, binaryPropertyList

    /// The format of a document's bytes.
    init(of bytes: [UInt8]) {
        if bytes.starts(with: "bplist".utf8) {
            self = .binaryPropertyList
            return
        }
        let text = bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        let first = text.first { !" \t\r\n".utf8.contains($0) }
        self = first == UInt8(ascii: "<") ? .xml : .json
    }

    /// The text that ``document(in:)`` decodes: JSON without comments, and the JSON of YAML or of a document in a config
    /// map of Kubernetes. Other bytes are returned unchanged.
    ///
    /// - Parameter name: the name of the file. Only a name that ends in `.jsonc` allows comments.
    package static func plain(_ bytes: [UInt8], named name: String) throws(DocumentError) -> [UInt8] {
        guard case .json = DocumentFormat(of: bytes) else { return bytes }
        do throws(DocumentError) {
            return try KubernetesDocuments.document(in: try documents(in: bytes, named: name))
        } catch {
            throw error.explained(by: bytes)
        }
    }

    /// The JSON of each document in a file: one, unless the file is YAML.
    static func documents(in bytes: [UInt8], named name: String) throws(DocumentError) -> [[UInt8]] {
        let mayBeYAML = !name.lowercased().hasSuffix(".jsonc") && YAMLText.isLikely(bytes, named: name)
        guard mayBeYAML, (try? JSONDocument(parsing: bytes)) == nil else {
            return [JSONComments.removed(from: bytes, named: name)]
        }
        return try YAMLReader.documents(in: bytes)
    }

    /// Detects the format of a document of any kind, and decodes it.
    package static func document(in bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        switch DocumentFormat(of: bytes) {
        case .json: return try RemoteDocument(ofAnyFormat: bytes)
        case .xml:
            do throws(DocumentError) {
                let (values, issues) = try XMLReader.read(bytes)
                return RemoteDocument(defaults: values, issues: issues)
            } catch {
                throw error.explained(by: bytes)
            }
        case .binaryPropertyList: return RemoteDocument(defaults: try BinaryPropertyList.values(in: bytes))
        }
    }

    /// Decodes in-app defaults in any format. A JSON object of keys and values counts as defaults.
    package static func defaults(
        in bytes: [UInt8]
    ) throws(DocumentError) -> (values: ValueTable, issues: [DocumentIssue]) {
        let document = try document(in: bytes)
        switch document.kind {
        case .defaults, .values, .definitions:
            var values = document.values
            let defined = document.kind == .definitions ? document.catalog?.items.map(\.key) ?? [] : []
            values.unsetKeys += defined.filter { values[$0] == nil }
            return (values, document.issues)
        case .catalogOnly: throw .unknownShape("the document is a catalog; expected a map of keys and default values")
        case .template, .evaluated, .announced:
            throw .unknownShape("the document is a Firebase template; expected a map of keys and default values")
        }
    }
}
