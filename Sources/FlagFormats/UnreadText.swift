package import FlagModel

/// The text of a document that could not be read.
struct UnreadText: Sendable {
    /// How many bytes at the start are enough to recognise most formats.
    fileprivate static let startSize = 4_096
    /// The first ``startSize`` bytes.
    let start: String
    /// The first line that is neither empty nor a comment; empty if there is none.
    let firstLine: String
    /// Whether the text was read as JSON, which it is not.
    let wasReadAsJSON: Bool
    private let bytes: [UInt8]

    init(_ bytes: [UInt8], _ error: DocumentError) {
        self.bytes = bytes
        start = String(decoding: bytes.prefix(Self.startSize), as: UTF8.self)
        firstLine = Self.firstLine(of: start)
        if case .malformed = error { wasReadAsJSON = true } else { wasReadAsJSON = false }
    }

    /// Whether there is nothing but empty lines and comments.
    var isEmpty: Bool { firstLine.isEmpty && bytes.count <= Self.startSize }

    /// Whether a line begins with a marker that Git writes around a conflict.
    var hasConflict: Bool {
        let marker = Array("<<<<<<< ".utf8)
        return bytes.starts(with: marker)
            || bytes.indices.contains { bytes[$0] == 0x0A && bytes[($0 + 1)...].starts(with: marker) }
    }

    var isWebPage: Bool {
        let start = start.lowercased()
        return firstLine.hasPrefix("<") && !firstLine.hasPrefix("<?xml")
            && (start.contains("<!doctype html") || start.contains("<html"))
    }

    var isYAML: Bool { Self.isYAML(firstLine) }

    var isSentence: Bool { Self.isSentence(bytes) }

    /// Whether there is only one line, with a text after a word, such as `Error: not found`.
    fileprivate static func isSentence(_ bytes: [UInt8]) -> Bool {
        let lines = lines(of: String(decoding: bytes.prefix(startSize), as: UTF8.self))
        guard bytes.count <= startSize, lines.count == 1, isYAML(lines[0]), !lines[0].hasPrefix("-") else {
            return false
        }
        let text = lines[0].drop { $0 != ":" }.dropFirst().drop { $0 == " " }
        return text.first?.isLetter == true && !["true", "false", "null"].contains(text.lowercased())
    }

    private static func lines(of start: String) -> [String] {
        start.split(whereSeparator: \.isNewline).map {
            ($0.hasPrefix("\u{FEFF}") ? String($0.dropFirst()) : String($0)).trimmed
        }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }

    fileprivate static func firstLine(of start: String) -> String { lines(of: start).first ?? "" }

    /// Whether a line looks like YAML: a marker, an element of a list, or a key.
    fileprivate static func isYAML(_ line: String) -> Bool {
        if line.hasPrefix("---") || line.hasPrefix("%YAML") || line.hasPrefix("- ") || line == "-" { return true }
        // A comment of JSON, such as "//TODO: tidy up", is no key.
        guard !line.hasPrefix("//"), let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
            return false
        }
        let textAfterColon = line[colon...].dropFirst()
        return (textAfterColon.isEmpty || textAfterColon.hasPrefix(" "))
            && line[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "_-./$".contains($0) }
    }
}

extension DocumentError {
    /// The error of a text that could not be read: the name of its format and what to do, if it is known.
    package func explained(by bytes: [UInt8]) -> DocumentError { KnownFormat.explanation(of: self, in: bytes) }
}

/// Documents in YAML, which are read as the JSON that they mean.
package enum YAMLText {
    /// Whether a file is YAML, by its name or its first line.
    package static func isLikely(_ bytes: [UInt8], named name: String) -> Bool {
        let start = String(decoding: bytes.prefix(UnreadText.startSize), as: UTF8.self)
        return [".yaml", ".yml"].contains { name.lowercased().hasSuffix($0) }
            || UnreadText.isYAML(UnreadText.firstLine(of: start)) && !UnreadText.isSentence(bytes)
    }
}
