/// Why a text is not JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1; a line ends with a line feed.
    public let line: Int
    /// The column, counted in Unicode scalars from 1.
    public let column: Int
    /// What was expected and what was found, without the place.
    public let problem: String

    /// An error at a place.
    public init(line: Int, column: Int, problem: String) {
        self.line = line
        self.column = column
        self.problem = problem
    }

    /// An error at a value: it is valid JSON, but not what was expected there.
    package init(at value: JSONValue, _ problem: String) {
        let (line, column) = value.position
        self.init(line: line, column: column, problem: problem)
    }

    /// The place, such as `line 12, column 7`.
    package var place: String { "line \(line), column \(column)" }

    /// For example `line 12, column 7: expected ',' or '}', found '"'`.
    public var description: String { "\(place): \(problem)" }
}

/// An error at a byte; line and column are only counted if they are shown.
struct JSONFault: Error {
    let offset: Int
    let problem: String
}
