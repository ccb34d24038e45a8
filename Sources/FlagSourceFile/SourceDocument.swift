public import FlagModel
public import FlagRemote

/// What a file turned out to be: the content decides, not the name.
public enum SourceDocument: Sendable {
    /// Values, a template or a catalog.
    case remote(RemoteDocument)
    /// Firebase's in-app defaults as a property list or as XML.
    case defaults(ValueTable)

    /// Recognises and reads any document.
    public init(parsing bytes: [UInt8], with workers: Workers = .threads) throws(DocumentError) {
        switch Self.format(of: bytes) {
        case .json: self = .remote(try RemoteDocument(parsing: bytes, with: workers))
        case .xml: self = .defaults(try DefaultsXML.values(in: bytes))
        case .binaryPropertyList: self = .defaults(try BinaryPropertyList.values(in: bytes))
        }
    }

    /// Whether everything that a menu shows is as another document has it.
    func saysTheSame(as other: SourceDocument) -> Bool {
        switch (self, other) {
        case (.remote(let one), .remote(let other)):
            one.values == other.values && one.catalog?.items == other.catalog?.items
                && one.catalog?.categories == other.catalog?.categories && one.notes == other.notes
                && one.conditions == other.conditions
        case (.defaults(let one), .defaults(let other)): one == other
        default: false
        }
    }

    /// Reads in-app defaults in any of their three forms; here a JSON object is a map of defaults.
    static func defaults(in bytes: [UInt8]) throws(DocumentError) -> ValueTable {
        switch try SourceDocument(parsing: bytes) {
        case .defaults(let values): return values
        case .remote(let document) where document.kind == .values: return document.values
        case .remote(let document):
            let found = document.kind == .catalogOnly ? "a catalog" : "a Firebase template"
            throw .unknownShape("the document is \(found); expected a map of keys and default values")
        }
    }

    private enum Format { case json, xml, binaryPropertyList }

    private static func format(of bytes: [UInt8]) -> Format {
        if bytes.starts(with: "bplist".utf8) { return .binaryPropertyList }
        let text = bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        let first = text.first { !" \t\r\n".utf8.contains($0) }
        return first == UInt8(ascii: "<") ? .xml : .json
    }
}
