package import FlagModel
import FlagSourceSupport

extension RemoteCache {
    /// Removes the copies of contexts that are not kept any longer, as ``KeptContexts`` says.
    ///
    /// - Parameter sources: those in use, whose copies stay.
    package func removeOldContexts(besides sources: [KeptSource], now: Timestamp) throws {
        let inUse = Set(sources.map(\.identity))
        guard inUse.contains(where: { KeptContexts.service(of: $0) != nil }) else { return }
        var known: [String: Timestamp?] = [:]
        for name in files.names() where name.hasSuffix(".json") {
            guard let record = files.read(name).flatMap({ CacheRecord(parsing: $0) }),
                // Only what this cache has named is its own to remove.
                name == "\(Self.id(of: record.source)).json"
            else { continue }
            known[record.source] = .some(record.lastUse)
        }
        for identity in KeptContexts.outdated(known, besides: inUse, now: now) {
            let id = Self.id(of: identity)
            // The record last: while it is there, what is left is found again.
            for name in ["\(id).active", "\(id).fetched", "\(id).json"] { try files.remove(name) }
        }
    }
}
