package import FlagModel
import FlagRemote

extension RemoteCache {
    /// The records of all sources. Only what this cache has named is its own.
    private var records: [CacheRecord] {
        files.names().filter { $0.hasSuffix(".json") }.compactMap { name in
            guard let record = files.read(name).flatMap({ CacheRecord(parsing: $0) }),
                name == "\(Self.id(of: record.source)).json"
            else { return nil }
            return record
        }
    }

    /// The identity under which something is kept of a service that is known but for its environment, which a credential tells:
    /// that stands behind a dot at the end of an identity. Of several environments it is the one that was used last.
    ///
    /// - Returns: the identity itself where something is kept under it; `nil` where nothing is at all.
    package func keptIdentity(of identity: String) -> String? {
        let kept = records.filter { $0.active != nil }
        guard !kept.contains(where: { $0.source == identity }) else { return identity }
        return kept.filter { $0.source.hasPrefix("\(identity).") }
            .max { ($0.lastUse?.seconds ?? 0) < ($1.lastUse?.seconds ?? 0) }?.source
    }

    /// Removes the copies of contexts that are not kept any longer, as ``KeptContexts`` says.
    ///
    /// - Parameter sources: those in use, whose copies stay.
    package func removeOldContexts(besides sources: [KeptSource], now: Timestamp) throws {
        let inUse = Set(sources.map(\.identity))
        guard inUse.contains(where: { KeptContexts.service(of: $0) != nil }) else { return }
        var known: [String: Timestamp?] = [:]
        for record in records { known[record.source] = .some(record.lastUse) }
        for identity in KeptContexts.outdated(known, besides: inUse, now: now) {
            let id = Self.id(of: identity)
            // The record last: while it is there, what is left is found again.
            for name in ["\(id).active", "\(id).fetched", "\(id).catalog", "\(id).json"] { try files.remove(name) }
        }
    }
}
