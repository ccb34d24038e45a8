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
