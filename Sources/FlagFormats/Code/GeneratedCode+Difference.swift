import FlagModel

extension GeneratedCode {
    /// What differs first between this code and an earlier version of it, such as `"dark_mode" is declared differently`;
    /// `nil` if they are equal.
    package func difference(from earlier: String) -> String? {
        guard earlier != text else { return nil }
        let (old, new) = (declarations(in: earlier), declarations(in: text))
        // Flags are sorted by key.
        guard let key = Set(old.keys).union(new.keys).sorted().first(where: { old[$0] != new[$0] }) else {
            return "the code around the flags is different"
        }
        if old[key] == nil { return "\(key.string) is not declared" }
        if new[key] == nil { return "\(key.string) is still declared, but no source has it any more" }
        return "\(key.string) is declared differently"
    }

    /// The declarations in generated code with their types, by the keys as literals.
    private func declarations(in text: String) -> [FlagText: String] {
        let writer = language.writer
        var declarations: [FlagText: String] = [:]
        var lines: [Substring] = []
        // The key of the declaration whose lines are being collected; empty if it is on one of the next lines.
        var key: String?
        let afterStart = text.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix(writer.opening) }.dropFirst()
        for line in afterStart {
            let isEnd = line.isEmpty || line.hasPrefix("}") || line.hasPrefix("    }")
            if let found = key, !found.isEmpty, isEnd {
                declarations[FlagText(found)] = lines.joined(separator: "\n")
                (lines, key) = ([], nil)
                continue
            }
            lines.append(line)
            if key == nil, writer.isDeclaration(line) { key = "" }
            // A mark on the first quote is not a part of it.
            let literal = /"(?:[^"\\]|\\.)*"/.matchingSemantics(.unicodeScalar)
            if key?.isEmpty == true { key = line.firstMatch(of: literal).map { String($0.output) } ?? "" }
        }
        return declarations
    }
}
