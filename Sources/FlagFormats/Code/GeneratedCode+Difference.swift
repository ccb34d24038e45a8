import FlagModel

extension GeneratedCode {
    /// What differs first between this code and another version of it, such as `"dark_mode" is declared differently`.
    package func difference(from earlier: String) -> String {
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
        let end = /\n\n|\n(?:    )?}[,;]?\n/.matchingSemantics(.unicodeScalar)
        // A mark on the first quote is not a part of it.
        let literal = /"(?:[^"\\]|\\.)*"/.matchingSemantics(.unicodeScalar)
        let afterStart = text.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix(writer.opening) }.dropFirst()
        var declarations: [FlagText: String] = [:]
        // A declaration with the types before it.
        var parts: [Substring] = []
        for part in afterStart.joined(separator: "\n").split(separator: end) {
            parts.append(part)
            let lines = part.split(separator: "\n").drop { !writer.isDeclaration($0) }
            guard let key = lines.joined(separator: "\n").firstMatch(of: literal) else { continue }
            declarations[FlagText(String(key.output))] = parts.joined(separator: "\n")
            parts = []
        }
        return declarations
    }
}
