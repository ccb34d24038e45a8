/// Why a whole document cannot be used.
public enum DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is not JSON, with the place of the error.
    case malformed(JSONError)
    /// It is JSON, but not a known document.
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
    /// Why a text is not a document: the name of another format, else the place of the JSON error.
    fileprivate init(_ error: JSONError, in bytes: [UInt8]) {
        // The first lines are enough, and the file may be large.
        let start = String(decoding: bytes.prefix(4_096), as: UTF8.self)
        let lines = start.split(whereSeparator: \.isNewline).lazy.map { String($0).trimmed }
        let first = lines.first { !$0.isEmpty && !$0.hasPrefix("#") } ?? ""
        if Self.isYAML(first) {
            self = .unknownShape("the document looks like YAML, which is not supported; convert it to JSON")
        } else if first.hasPrefix("<") {
            self = .unknownShape("the document is a web page or XML; expected JSON")
        } else {
            self = .malformed(error)
        }
    }

    /// Whether a document that is not JSON begins like YAML: with a marker, an element of a list, or a key.
    private static func isYAML(_ line: String) -> Bool {
        if line.hasPrefix("---") || line.hasPrefix("%YAML") || line.hasPrefix("- ") { return true }
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return false }
        let rest = line[colon...].dropFirst()
        return (rest.isEmpty || rest.hasPrefix(" "))
            && line[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "_-./$".contains($0) }
    }
}

extension JSONDocument {
    /// Parses a response or a file that is JSON as a whole.
    ///
    /// - Throws: the place of the JSON error, or what it looks like instead.
    package init(document bytes: [UInt8]) throws(DocumentError) {
        do throws(JSONError) {
            self = try JSONDocument(parsing: bytes)
        } catch {
            throw DocumentError(error, in: bytes)
        }
    }
}
