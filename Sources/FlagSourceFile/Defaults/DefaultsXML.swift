import FlagModel

/// Reads Firebase's in-app defaults from XML: a property list (iOS) or a `defaultsMap` (Android).
enum DefaultsXML {
    /// The size limit in bytes. Real defaults are small, and parsed values take many times the memory of their text.
    static let sizeLimit = 16 << 20

    /// The values, and the entries that were left out.
    static func values(in bytes: [UInt8]) throws(DocumentError) -> (ValueTable, [DocumentIssue]) {
        guard bytes.count <= sizeLimit else {
            throw .unknownShape("the XML has \(bytes.count) bytes; at most \(sizeLimit) are read")
        }
        let (values, issues) = try XMLReader.read(bytes)
        guard let values else {
            throw .unknownShape("the property list is empty; expected a dictionary")
        }
        return (values, issues)
    }
}
