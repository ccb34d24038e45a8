/// Finds where code, the catalog and the sources disagree about the type or the default of a flag.
struct DeclarationMismatches {
    let declarations: [DeclaredFlags.Declaration]
    /// The flag's item in a document; `nil` if no document lists the flag.
    let item: FlagItem?
    /// The remote value; `nil` if no source has the flag.
    let remote: FlagText?
    /// The default outside the code; `nil` if there is none.
    let storedDefault: FlagText?

    /// The disagreements, one sentence each.
    var sentences: [String] {
        guard let first = declarations.first else { return [] }
        return declarations.dropFirst().flatMap { betweenPrograms(first, $0) } + withCatalog(first) + withValues(first)
    }

    private func betweenPrograms(
        _ first: DeclaredFlags.Declaration, _ other: DeclaredFlags.Declaration
    ) -> [String] {
        let (flag, otherFlag) = (first.flag, other.flag)
        guard flag.type == otherFlag.type else {
            return [
                "\(flag.key) is \(flag.type.withArticle) in \(first.program), but \(otherFlag.type.withArticle) in "
                    + "\(other.program)."
            ]
        }
        guard flag.defaultValue != otherFlag.defaultValue else { return [] }
        return [
            "The default of \(flag.key) is \(Self.shown(flag.defaultValue)) in \(first.program), but "
                + "\(Self.shown(otherFlag.defaultValue)) in \(other.program)."
        ]
    }

    private func withCatalog(_ first: DeclaredFlags.Declaration) -> [String] {
        let flag = first.flag
        guard let item else { return [] }
        if let type = item.declaredType, type != flag.type {
            return [
                "\(flag.key) is \(flag.type.withArticle) in \(first.program), but \(type.withArticle) in the catalog."
            ]
        }
        let options = item.options.map(\.value)
        guard options.count > 1 else { return [] }
        let rejected = options.filter { !flag.accepts($0) }
        if !rejected.isEmpty {
            let values = rejected.prefix(5).map(Self.shown).joined(separator: ", ")
            return ["The catalog offers \(values) for \(flag.key), which \(first.program) cannot read."]
        }
        guard let value = flag.defaultValue, item.isClosedList(of: flag.type),
            !options.contains(where: { flag.type.isSame($0, value) })
        else { return [] }
        return ["The default \(Self.shown(value)) of \(flag.key) in \(first.program) is not an option of the catalog."]
    }

    private func withValues(_ first: DeclaredFlags.Declaration) -> [String] {
        let flag = first.flag
        var sentences: [String] = []
        if let remote = remote?.string, !flag.accepts(remote) {
            sentences.append(
                "The remote value \(Self.shown(remote)) of \(flag.key) is not \(flag.kindWords) that \(first.program) "
                    + "can read.")
        }
        if let stored = storedDefault?.string, let value = flag.defaultValue, !flag.type.isSame(stored, value) {
            sentences.append(
                "The default of \(flag.key) is \(Self.shown(value)) in \(first.program), but \(Self.shown(stored)) in "
                    + "the other defaults, which win.")
        }
        return sentences
    }

    private static func shown(_ value: String?) -> String {
        value.map { JSONOutput.quoted($0, limit: 40) } ?? "not set"
    }
}

extension FlagType {
    /// The type with its article: `a bool`, `an int`.
    package var withArticle: String { self == .int ? "an int" : "a \(rawValue)" }
}

extension DeclaredFlag {
    /// What the code reads, with an article: `an int`, or `one of light, dark`.
    fileprivate var kindWords: String {
        facts.options.isEmpty ? type.withArticle : "one of \(facts.options.prefix(20).joined(separator: ", "))"
    }
}
