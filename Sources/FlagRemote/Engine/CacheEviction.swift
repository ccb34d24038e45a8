import FlagModel

/// Which cached values are removed. A service has an identity for each context, with values of its own: trying contexts for
/// months would fill a folder with them.
package enum CacheEviction {
    /// The number of contexts of one service that are cached. Mobile clients of one vendor cache 5; a tester
    /// switches between more people than a phone has users, and 20 lists of 1,000 flags are some 2 MB.
    static let limit = 20

    /// How long an unused context is cached, in seconds: 30 days, longer than a release is tested for.
    package static let life: Int64 = 30 * 86_400

    /// How often a use is noted, in seconds: once a day, so that reading seldom writes.
    private static let noteInterval: Int64 = 86_400

    /// Whether to note that cached values are used, which counts as long as a response of the service.
    ///
    /// - Parameter last: the last use or response.
    static func isUseToBeNoted(of identity: SourceIdentity, last: Timestamp?, now: Timestamp) -> Bool {
        guard identity.service != nil, let last else { return false }
        return now.seconds - last.seconds > noteInterval
    }

    /// The identities whose values are removed: not used for ``life``, or more than ``limit`` of one service, the oldest first.
    /// Those in use stay, however old, and so do files and services of which none is in use.
    ///
    /// - Parameters:
    ///   - known: the cached identities, with the time of their last use or response; `nil` for never.
    ///   - inUse: the identities of the sources in use.
    static func outdated(
        _ known: [SourceIdentity: Timestamp?], besides inUse: Set<SourceIdentity>, now: Timestamp
    ) -> [SourceIdentity] {
        let services = Dictionary(grouping: inUse, by: \.service)
        let others = known.filter { !inUse.contains($0.key) }
        return services.flatMap { service, own -> [SourceIdentity] in
            guard let service else { return [] }
            return others.filter { $0.key.service == service }
                .map { (identity: $0.key, seconds: $0.value?.seconds ?? 0) }
                .sorted { ($0.seconds, $0.identity.text) > ($1.seconds, $1.identity.text) }
                .enumerated()
                .filter { place, context in place + own.count >= limit || now.seconds - context.seconds > life }
                .map(\.element.identity)
        }
    }
}
