/// Why a whole document cannot be used.
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

extension DocumentError {
    /// The error of bytes that are not JSON: the name of another format that they look like, or else `error`.
    fileprivate init(_ error: JSONError, in bytes: [UInt8]) {
        let firstByte = bytes.first { !" \t\r\n".utf8.contains($0) }
        if firstByte == UInt8(ascii: "<") {
            self = .unknownShape("the document is a web page or XML; expected JSON")
        } else {
            self = .malformed(error)
        }
    }
}

extension JSONDocument {
    /// Parses a response or a file that is JSON as a whole.
    ///
    /// - Throws: the JSON error, or the name of another format that the bytes look like.
    package init(document bytes: [UInt8]) throws(DocumentError) {
        do throws(JSONError) {
            self = try JSONDocument(parsing: bytes)
        } catch {
            throw DocumentError(error, in: bytes)
        }
    }
}
