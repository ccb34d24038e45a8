package import FlagModel

/// Of which contexts values are kept. A service has an identity for each context that it was asked for, with values of its own:
/// whoever tries contexts for months would fill a folder with them.
package enum KeptContexts {
    /// So many contexts of one service are kept. LaunchDarkly's mobile clients keep 5 (`maxCachedContexts`); a tester goes to and
    /// fro between more people than a phone has users, and 20 lists of 1,000 flags are some 2 MB.
    package static let limit = 20

    /// For so long a context is kept that nobody uses, in seconds: 30 days. That is our own measure: it is longer than a release is
    /// tested for, and who comes back later wants the values of then less than those of now.
    package static let life: Int64 = 30 * 86_400

    /// A use is noted again after so long, in seconds: a day, so that reading seldom writes.
    private static let noteInterval: Int64 = 86_400

    /// Whether it is to be noted that the values of a source are used, which counts as long as what the service says.
    ///
    /// - Parameter last: the last use that is known.
    package static func isUseToBeNoted(of identity: String, last: Timestamp?, now: Timestamp) -> Bool {
        guard service(of: identity) != nil, let last else { return false }
        return now.seconds - last.seconds > noteInterval
    }

    /// The identities whose values are to go: not used for ``life``, or more than ``limit`` of one service, the oldest first.
    /// Those in use stay, however old, and so do files and services of which none is in use.
    ///
    /// - Parameters:
    ///   - known: what is kept, with the moment at which each was last used or has said something; `nil` for never.
    ///   - inUse: the identities of the sources in use.
    package static func outdated(
        _ known: [String: Timestamp?], besides inUse: Set<String>, now: Timestamp
    ) -> [String] {
        let services = Dictionary(grouping: inUse) { service(of: $0) }
        let others = known.filter { !inUse.contains($0.key) }
        return services.flatMap { service, own -> [String] in
            guard let service else { return [] }
            return others.filter { self.service(of: $0.key) == service }
                .map { (identity: $0.key, seconds: $0.value?.seconds ?? 0) }
                .sorted { ($0.seconds, $0.identity) > ($1.seconds, $1.identity) }
                .enumerated()
                .filter { place, context in place + own.count >= limit || now.seconds - context.seconds > life }
                .map(\.element.identity)
        }
    }

    /// What the identity of a service says before whom it was asked for, which stands behind the last `#`; `nil` for a file, whose
    /// identity is its path.
    package static func service(of identity: String) -> Substring? {
        guard !identity.hasPrefix("/"), !identity.hasPrefix("file:") else { return nil }
        return identity.lastIndex(of: "#").map { identity[..<$0] }
    }
}
