import FlagModel

extension SwiftFile {
    /// What differs first between this code and an earlier version of it, such as `"dark_mode" is declared differently`;
    /// `nil` if they are equal.
    package func difference(from earlier: String) -> String? {
        guard earlier != text else { return nil }
        let (old, new) = (Self.declarations(in: earlier), Self.declarations(in: text))
        let (oldCode, newCode) = (FlagTable(old) { first, _ in first }, FlagTable(new) { first, _ in first })
        for (index, declaration) in new.enumerated() {
            // Both are sorted by key, and equal up to here.
            if index < old.count, newCode[old[index].key] == nil, old[index].key.precedes(declaration.key) {
                return "\(old[index].key) is still declared, but no source has it any more"
            }
            guard let code = oldCode[declaration.key] else { return "\(declaration.key) is not declared" }
            if code != declaration.code { return "\(declaration.key) is declared differently" }
        }
        if old.count > new.count {
            return "\(old[new.count].key) is still declared, but no source has it any more"
        }
        return "the code around the flags is different"
    }

    /// The declarations in generated code, each with its key as a literal, and its types.
    private static func declarations(in text: String) -> [(key: String, code: String)] {
        var declarations: [(key: String, code: String)] = []
        var lines: [Substring] = []
        var isInNamespace = false
        // The key of the declaration whose lines are being collected.
        var key: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard isInNamespace else {
                isInNamespace = line.hasPrefix("nonisolated enum ")
                continue
            }
            if line.hasPrefix("    static let all: [any DeclaredKey]") { break }
            lines.append(line)
            if line.hasPrefix("    static let "), line.contains(" = FlagKey<") { key = "" }
            if key?.isEmpty == true, let quote = line.firstIndex(of: "\"") { key = literal(in: line[quote...]) }
            if let found = key, !found.isEmpty, line.isEmpty {
                declarations.append((found, lines.joined(separator: "\n")))
                (lines, key) = ([], nil)
            }
        }
        return declarations
    }

    /// The string literal at the start of a text, with its quotes.
    private static func literal(in text: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            result.append(character)
            if character == "\"", !isEscaped, result.count > 1 { break }
            isEscaped = character == "\\" && !isEscaped
        }
        return result
    }
}
