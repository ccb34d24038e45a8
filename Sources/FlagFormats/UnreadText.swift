package import FlagModel

/// The text of a document that could not be read.
private struct UnreadText {
    /// How many bytes at the start are enough to recognise most formats.
    static let startSize = 4_096
    let bytes: [UInt8]
    /// Whether the text was read as JSON, which it is not.
    let wasReadAsJSON: Bool

    /// The name of the format, with an article, and what to do; `nil` if the format is not known.
    var rejection: String? {
        let start = String(decoding: bytes.prefix(Self.startSize), as: UTF8.self)
        let firstLine = Self.firstLine(of: start)
        if firstLine.isEmpty, bytes.count <= Self.startSize { return "empty; save a JSON object of keys and values" }
        if firstLine.hasPrefix("version https://git-lfs.github.com/spec/") {
            return "a Git LFS pointer, not the file itself; run git lfs pull"
        }
        if hasConflict { return "a file with merge-conflict markers of Git; resolve the conflict first" }
        if start.prefix(400).contains("Entry Name"), start.prefix(400).contains("Value") {
            return "a table that the Firebase CLI prints; write the template itself to a file with firebase "
                + "remoteconfig:get -o FILE"
        }
        let page = start.lowercased()
        if firstLine.hasPrefix("<"), !firstLine.hasPrefix("<?xml"),
            page.contains("<!doctype html") || page.contains("<html")
        {
            return "a web page, such as a login; name the document itself"
        }
        guard wasReadAsJSON else { return nil }
        if firstLine.hasPrefix("<") { return "XML, which is read from files only; save it as a file" }
        if Self.isSentence(bytes) { return "plain text, not JSON; name another document" }
        return Self.isYAML(firstLine) ? "YAML, which is read from files only; save it as a file" : nil
    }

    /// Whether a line begins with a marker that Git writes around a conflict.
    private var hasConflict: Bool {
        let marker = Array("<<<<<<< ".utf8)
        return bytes.starts(with: marker)
            || bytes.indices.contains { bytes[$0] == 0x0A && bytes[($0 + 1)...].starts(with: marker) }
    }

    /// Whether there is only one line, with a text after a word, such as `Error: not found`.
    static func isSentence(_ bytes: [UInt8]) -> Bool {
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

    static func firstLine(of start: String) -> String { lines(of: start).first ?? "" }

    /// Whether a line looks like YAML: a marker, an element of a list, or a key.
    static func isYAML(_ line: String) -> Bool {
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
    package func explained(by bytes: [UInt8]) -> DocumentError {
        let wasReadAsJSON = if case .malformed = self { true } else { false }
        if let rejection = UnreadText(bytes: bytes, wasReadAsJSON: wasReadAsJSON).rejection {
            return .unknownShape("the document is \(rejection)")
        }
        return JSONComments.explanation(of: self, in: bytes) ?? self
    }
}

/// Documents in YAML, which are read as the JSON that they mean.
package enum YAMLText {
    /// Whether a file is YAML, by its name or its first line.
    package static func isLikely(_ bytes: [UInt8], named name: String) -> Bool {
        if [".yaml", ".yml"].contains(where: { name.lowercased().hasSuffix($0) }) { return true }
        guard let first = bytes.first(where: { $0 > 0x20 }), first != UInt8(ascii: "{"), first != UInt8(ascii: "[")
        else { return false }
        let start = String(decoding: bytes.prefix(UnreadText.startSize), as: UTF8.self)
        return UnreadText.isYAML(UnreadText.firstLine(of: start)) && !UnreadText.isSentence(bytes)
    }
}
