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

    /// Detects the format of a document of any kind, and decodes it.
    package static func document(in bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        switch DocumentFormat(of: bytes) {
        case .json: try RemoteDocument(ofAnyFormat: bytes)
        case .xml: RemoteDocument(defaults: try DefaultsXML.values(in: bytes))
        case .binaryPropertyList: RemoteDocument(defaults: try BinaryPropertyList.values(in: bytes))
        }
    }

    /// Decodes in-app defaults in any of the three formats. A JSON object of keys and values counts as defaults.
    package static func defaults(in bytes: [UInt8]) throws(DocumentError) -> ValueTable {
        let document = try document(in: bytes)
        switch document.kind {
        case .defaults, .values, .definitions: return document.values
        case .catalogOnly: throw .unknownShape("the document is a catalog; expected a map of keys and default values")
        case .template, .evaluated:
            throw .unknownShape("the document is a Firebase template; expected a map of keys and default values")
        }
    }
}
