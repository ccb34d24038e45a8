/// Why a whole document cannot be used.
public enum DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is no JSON, and where it stops being JSON.
    case malformed(JSONError)
    /// It is JSON, but none of the documents we know.
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
    /// Reads an answer or a file that is JSON as a whole.
    ///
    /// - Throws: where it stops being JSON, as the error of a document.
    package init(document bytes: [UInt8]) throws(DocumentError) {
        do throws(JSONError) {
            self = try JSONDocument(parsing: bytes)
        } catch {
            throw .malformed(error)
        }
    }
}
