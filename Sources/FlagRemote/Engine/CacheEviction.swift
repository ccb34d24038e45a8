import FlagModel

/// Which cached values are removed. Each context of a service has its own identity and cached values, so trying
/// contexts for months would fill the folder.
package enum CacheEviction {
    /// The number of contexts of one service that are cached. Mobile clients of one vendor cache 5; a tester switches
    /// between more users than a phone has, and 20 lists of 1,000 flags are some 2 MB.
    static let limit = 20

    /// How long an unused context is cached, in seconds: 30 days, longer than a release is tested for.
    package static let life: Int64 = 30 * 86_400

    /// How often a use is recorded, in seconds: once a day, so that reading seldom writes.
    private static let recordInterval: Int64 = 86_400

    /// Whether to record that cached values are used. Eviction treats a use like a response of the service.
    ///
    /// - Parameter last: the last recorded use, or the last response.
    static func shouldRecordUse(of identity: SourceIdentity, last: Timestamp?, now: Timestamp) -> Bool {
        guard identity.service != nil, let last else { return false }
        return now.seconds - last.seconds > recordInterval
    }

    /// The identities whose values are removed: those unused for longer than ``life``, and the least recently used ones
    /// if a service has more than ``limit``. Identities in use stay, as do files and services without one in use.
    ///
    /// - Parameters:
    ///   - cached: the cached identities, with the time of their last use or response; `nil` for never.
    ///   - inUse: the identities of the sources in use.
    static func outdated(
        _ cached: [SourceIdentity: Timestamp?], besides inUse: Set<SourceIdentity>, now: Timestamp
    ) -> [SourceIdentity] {
        let services = Dictionary(grouping: inUse, by: \.service)
        let unused = cached.filter { !inUse.contains($0.key) }
        return services.flatMap { service, used -> [SourceIdentity] in
            guard let service else { return [] }
            return unused.filter { $0.key.service == service }
                .map { (identity: $0.key, lastUse: $0.value?.seconds ?? 0) }
                .sorted { ($0.lastUse, $0.identity.text) > ($1.lastUse, $1.identity.text) }
                .enumerated()
                .filter { rank, entry in rank + used.count >= limit || now.seconds - entry.lastUse > life }
                .map(\.element.identity)
        }
    }
}
