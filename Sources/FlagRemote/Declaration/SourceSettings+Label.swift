// Sources of one name in a project, such as the templates of one service for clients and for servers.
extension SourceSettings {
    /// The same sources, each with a name of its own: what is decided about a source is kept under its name, and by that it is
    /// named with `--source`. Where what sets a source apart has a word, that always stands behind its name, so that neither
    /// which others there are nor their order matters; those that have the same word, or none, are numbered from the second on.
    package static func toldApart(_ sources: [SourceSettings]) -> [SourceSettings] {
        var result = sources
        for group in Dictionary(grouping: sources.indices, by: { sources[$0].shown }).values {
            var counts: [String: Int] = [:]
            for index in group {
                let word = sources[index].kind?.variant(sources[index])
                let count = counts[word ?? "", default: 0] + 1
                counts[word ?? ""] = count
                let words = [word, count > 1 ? String(count) : nil].compactMap { $0 }
                result[index].label = words.isEmpty ? nil : words.joined(separator: ", ")
            }
        }
        return result
    }
}
