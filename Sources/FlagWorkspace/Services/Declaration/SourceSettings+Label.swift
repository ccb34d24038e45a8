import FlagRemote

// Sources with the same name in a project, such as one service's templates for clients and for servers.
extension SourceSettings {
    /// The same sources, each with a unique name. Overrides are stored under this name, and `--source` selects a source
    /// by it. If a source has a variant, the variant always follows the name, so that the name does not depend on the
    /// other sources or their order. Sources with the same variant, or with none, are numbered from the second on.
    static func withUniqueNames(_ sources: [SourceSettings]) -> [SourceSettings] {
        var result = sources
        for group in Dictionary(grouping: sources.indices, by: { sources[$0].shown }).values {
            var counts: [String: Int] = [:]
            for index in group {
                let word = sources[index].kind?.address.variant(sources[index])
                let count = counts[word ?? "", default: 0] + 1
                counts[word ?? ""] = count
                let words = [word, count > 1 ? String(count) : nil].compactMap { $0 }
                result[index].label = words.isEmpty ? nil : words.joined(separator: ", ")
            }
        }
        return result
    }
}
