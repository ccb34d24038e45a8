package import FlagModel
import FlagSourceSupport

extension RemoteCache {
    /// The identity under which something is kept of a service that is known but for its environment, which a credential tells:
    /// that stands behind a dot at the end of an identity. Of several environments it is the one that was used last.
    ///
    /// - Returns: the identity itself where something is kept under it; `nil` where nothing is at all.
    package func keptIdentity(of identity: String) -> String? {
        guard files.read("\(Self.id(of: identity)).json") == nil else { return identity }
        let records = files.names().filter { $0.hasSuffix(".json") }
            .compactMap { files.read($0).flatMap { CacheRecord(parsing: $0) } }
        return records.filter { $0.source.hasPrefix("\(identity).") && $0.active != nil }
            .max { ($0.lastUse?.seconds ?? 0) < ($1.lastUse?.seconds ?? 0) }?.source
    }

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
