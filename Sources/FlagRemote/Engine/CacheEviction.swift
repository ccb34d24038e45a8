import FlagModel

/// Which cached values are removed. Each context of a service has its own identity and cached values, so trying
/// contexts for months would fill the folder.
package enum CacheEviction {
    /// The maximum number of cached contexts of one service. Mobile clients of one vendor cache 5, but a tester
    /// switches between more users than a phone has. 20 lists of 1,000 flags take about 2 MB.
    static let limit = 20

    /// How long an unused context is cached, in seconds: 30 days, longer than a release is tested for.
    package static let life: Int64 = 30 * 86_400

    /// How often a use of cached values is recorded, in seconds: once a day, so that reading values rarely writes to
    /// disk. Eviction treats a use like a response of the service.
    static let recordInterval: Int64 = 86_400

    /// The identities whose values are removed: identities unused for longer than ``life`` and, if a service has more
    /// than ``limit`` identities, the least recently used ones. Identities in use, files, and services without an
    /// identity in use are never removed.
    ///
    /// - Parameters:
    ///   - cached: the cached identities, each with the time of its last use or response.
    ///   - inUse: the identities of the sources in use.
    static func outdated(
        _ cached: [SourceIdentity: FlagTimestamp], besides inUse: Set<SourceIdentity>, now: FlagTimestamp
    ) -> [SourceIdentity] {
        let services = Dictionary(grouping: inUse, by: \.service)
        let unused = cached.filter { !inUse.contains($0.key) }
        return services.flatMap { service, used -> [SourceIdentity] in
            guard let service else { return [] }
            return unused.filter { $0.key.service == service }
                .map { (identity: $0.key, lastUse: $0.value.seconds) }
                .sorted { ($0.lastUse, $0.identity.text) > ($1.lastUse, $1.identity.text) }
                .enumerated()
                .filter { rank, entry in rank + used.count >= limit || now.seconds - entry.lastUse > life }
                .map(\.element.identity)
        }
    }
}
