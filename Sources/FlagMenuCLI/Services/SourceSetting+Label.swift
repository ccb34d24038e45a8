import FlagModel
import FlagRemote

// Sources of one name in a project, such as the templates of a Firebase project for clients and for servers.
extension SourceSetting {
    /// The same sources, each with a name of its own: what is decided about a source is kept under its name, and by that it is
    /// named with `--source`. Where what sets a source apart has a word, that always stands behind its name, so that neither
    /// which others there are nor their order matters; those that have the same word, or none, are numbered from the second on.
    static func toldApart(_ sources: [SourceSetting]) -> [SourceSetting] {
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

/// A source that goes by a longer name, as another one has its own.
struct LabelledSource: RemoteSource {
    let base: any RemoteSource
    private let suffix: String

    init(_ base: any RemoteSource, _ suffix: String) { (self.base, self.suffix) = (base, suffix) }

    var identity: String { base.identity }
    var name: String { base.name + suffix }
    var pollInterval: Duration? { base.pollInterval }

    func fetch(since version: String?) async throws(SourceError) -> SourceAnswer {
        do throws(SourceError) {
            return try await base.fetch(since: version)
        } catch {
            var error = error
            if error.path == base.name { error.path = name }
            throw error
        }
    }

    func takeNews(since version: String?) -> SourceAnswer? { base.takeNews(since: version) }
    func readAtOnce() throws(SourceError) -> SourceAnswer? { try base.readAtOnce() }
    func changes() -> AsyncStream<SourceHint>? { base.changes() }
    func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument { try base.decode(bytes) }
}
