public import FlagModel

// A service has an identity for each context that it was asked for, with copies of its own. Somebody who tries contexts for
// months would fill the folder with them.
extension RemoteCache {
    /// So many contexts of one service are kept. LaunchDarkly's mobile clients keep 5 (`maxCachedContexts`); a tester goes to and
    /// fro between more people than a phone has users, and 20 lists of 1,000 flags are some 2 MB.
    public static let contextLimit = 20

    /// For so long a context is kept of which the service has said nothing, in seconds: 30 days. That is our own measure: it is
    /// longer than a release is tested for, and who comes back later wants the values of then less than those of now.
    public static let contextLife: Int64 = 30 * 86_400

    /// Removes copies of contexts that were not used for ``contextLife``, or that are more than ``contextLimit`` of one service,
    /// the oldest first. Those of the sources in use stay, however old, and so do those of files and of other services.
    public func removeOldContexts(besides sources: [KeptSource], now: Timestamp) throws {
        let inUse = Set(sources.map(\.identity))
        let services = Dictionary(grouping: inUse.filter { Self.service(of: $0) != nil }) { Self.service(of: $0) }
        guard !services.isEmpty else { return }
        let records = files.names().filter { $0.hasSuffix(".json") }.compactMap { name in
            files.read(name).flatMap { CacheRecord(parsing: $0) }.flatMap { record in
                // Only what this cache has named is its own to remove.
                name == "\(Self.id(of: record.source)).json" ? record : nil
            }
        }
        for (service, own) in services {
            let others = records.filter { Self.service(of: $0.source) == service && !inUse.contains($0.source) }
                .sorted { ($0.lastUse?.seconds ?? 0, $0.source) > ($1.lastUse?.seconds ?? 0, $1.source) }
            for (place, record) in others.enumerated() {
                let age = now.seconds - (record.lastUse?.seconds ?? 0)
                guard place + own.count >= Self.contextLimit || age > Self.contextLife else { continue }
                let id = Self.id(of: record.source)
                // The record last: while it is there, what is left is found again.
                for name in ["\(id).active", "\(id).fetched", "\(id).json"] { try files.remove(name) }
            }
        }
    }

    /// What the identity of a service says before whom it was asked for, which stands behind the last `#`; `nil` for a file, whose
    /// identity is its path.
    private static func service(of identity: String) -> Substring? {
        guard !identity.hasPrefix("/") else { return nil }
        return identity.lastIndex(of: "#").map { identity[..<$0] }
    }
}
