/// Why a file or a response with flag values cannot be used at all.
public enum DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The document is not JSON. The error has the line and the column.
    case malformed(JSONError)
    /// The document has an unsupported format, although it may be JSON. The sentence says why.
    case unknownShape(String)

    /// The reason as part of a sentence, for example `line 12, column 7: expected ',' or '}', found '"'`.
    public var description: String {
        switch self {
        case .malformed(let error): error.description
        case .unknownShape(let sentence): sentence
        }
    }
}

extension JSONDocument {
    /// Parses a response or a file that is JSON as a whole.
    ///
    /// - Throws: the JSON error, or the name of another format that the bytes look like.
    package convenience init(document bytes: [UInt8]) throws(DocumentError) {
        do throws(JSONError) {
            try self.init(parsing: bytes)
        } catch {
            let firstByte = bytes.first { !" \t\r\n".utf8.contains($0) }
            guard firstByte == UInt8(ascii: "<") else { throw .malformed(error) }
            throw .unknownShape("the document is a web page or XML; expected JSON")
        }
    }
}
