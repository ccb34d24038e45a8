/// Why a text is not JSON, with the line and column of the error.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1; a line ends with a line feed.
    public let line: Int
    /// The column, counted in Unicode scalars from 1.
    public let column: Int
    /// What was expected and what was found, without the place.
    public let issue: String

    /// The place, such as `line 12, column 7`.
    package var place: String { "line \(line), column \(column)" }

    /// For example `line 12, column 7: expected ',' or '}', found '"'`.
    public var description: String { "\(place): \(issue)" }
}

extension JSONError {
    /// An error at a value that is valid JSON, but not the expected value.
    package init(at value: JSONValue, _ issue: String) {
        let (line, column) = value.position
        self.init(line: line, column: column, issue: issue)
    }
}

/// An error at a byte offset, before its line and column are counted.
struct JSONFault: Error {
    let offset: Int
    let issue: String
}
