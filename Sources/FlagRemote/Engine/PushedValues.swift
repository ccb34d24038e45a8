package import FlagModel
package import FlagStorage

// Values that an app sets itself, such as those of a vendor's SDK, and that become active at the next launch.
extension RemoteEngine {
    private static let pushed: SourceIdentity = "updateRemote"

    /// Caches a document for the next launch.
    package func cachePushed(_ bytes: [UInt8], at time: FlagTimestamp) throws(StorageError) {
        let header = RemoteCache.Header(version: nil, fetchedAt: time, digest: StableHash.document(bytes))
        try cache.write(bytes, header, .fetched, Self.pushed)
    }

    /// The document that an earlier run cached for this one, and when; `nil` without one, or with another activation.
    package func cachedPush() -> (document: RemoteDocument, cachedAt: FlagTimestamp)? {
        guard policy.activation == .nextLaunch, let (header, bytes) = cache.read(.fetched, Self.pushed) else {
            return nil
        }
        return (try? RemoteDocument(parsing: bytes)).map { ($0, header.fetchedAt) }
    }
}
