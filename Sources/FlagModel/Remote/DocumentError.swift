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
        // The first lines are enough to detect a format, and the file may be large.
        let start = String(decoding: bytes.prefix(4_096), as: UTF8.self)
        let lines = start.split(whereSeparator: \.isNewline).lazy.map { String($0).trimmed }
        let firstLine = lines.first { !$0.isEmpty && !$0.hasPrefix("#") } ?? ""
        if Self.isYAML(firstLine) {
            self = .unknownShape("the document looks like YAML, which is not supported; convert it to JSON")
        } else if firstLine.hasPrefix("<") {
            self = .unknownShape("the document is a web page or XML; expected JSON")
        } else {
            self = .malformed(error)
        }
    }

    /// Whether the first line of a document looks like YAML: a marker, an element of a list, or a key.
    private static func isYAML(_ line: String) -> Bool {
        if line.hasPrefix("---") || line.hasPrefix("%YAML") || line.hasPrefix("- ") { return true }
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return false }
        let textAfterColon = line[colon...].dropFirst()
        return (textAfterColon.isEmpty || textAfterColon.hasPrefix(" "))
            && line[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "_-./$".contains($0) }
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
